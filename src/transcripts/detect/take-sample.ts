import type { Fields } from '../source/recover-line.ts';
import { parseObject } from '../source/recover-line.ts';
import type { Source } from '../transcript.ts';

/** How a file begins: enough to tell whose it is. */
export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The same as text, up to the last whole character. */
  readonly text: string;
  /** The lines at the beginning that are JSON objects. */
  readonly records: readonly Fields[];
  /** Keys of the object that the file is one of, as far as they are at its beginning. */
  readonly keys: readonly string[];
}

const ENOUGH = 256 * 1024;
const MOST_RECORDS = 50;

export async function takeSample(source: Source): Promise<Sample> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.chunks()) {
    if (chunk === null) break;
    chunks.push(Uint8Array.from(chunk));
    size += chunk.length;
    if (size >= ENOUGH) break;
  }
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return { name: source.name, bytes, text, records: recordsIn(text), keys: keysIn(text) };
}

function recordsIn(text: string): Fields[] {
  const records: Fields[] = [];
  for (const line of text.split('\n', 400)) {
    const value = line.startsWith('{') ? parseObject(line) : undefined;
    if (value) records.push(value);
    if (records.length === MOST_RECORDS) break;
  }
  return records;
}

/** The keys of the outermost object, whatever its layout; values are passed over. */
function keysIn(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  let expecting = false;
  const token = /"((?:[^"\\]|\\.)*)"|[{}[\],]/gs;
  for (let match = token.exec(text); match && keys.length < 50; match = token.exec(text)) {
    const [symbol, inside] = match;
    if (inside !== undefined) {
      if (depth === 1 && expecting) keys.push(inside);
      expecting = false;
    } else if (symbol === '{' || symbol === '[') {
      depth++;
      expecting = symbol === '{' && depth === 1;
    } else if (symbol === ',') expecting = depth === 1;
    else if (--depth <= 0) break;
  }
  return keys;
}
