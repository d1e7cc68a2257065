import type { Part } from '../../record/index.ts';
import { readPart, sayOutput } from '../../text/index.ts';
import { isFields } from '../source/fields.ts';
import type { Written } from '../transcript.ts';

/** A file that is one JSON value, indented as people expect it. */
export function jsonFile(file: string, value: unknown): Written {
  return { file, text: `${JSON.stringify(value, null, 2)}\n` };
}

/** An object with one long list in the middle, written as its items come. */
export async function* jsonFileWithList(
  file: string,
  {
    before,
    list,
    items,
    after,
  }: { before: object; list: string; items: AsyncIterable<unknown>; after: () => object },
): AsyncGenerator<Written> {
  const fields = (value: object) =>
    Object.entries(value).map(([name, field]) => `  ${JSON.stringify(name)}: ${indented(field, '  ')}`);
  yield { file, text: `{\n${[...fields(before), `  ${JSON.stringify(list)}: [`].join(',\n')}` };
  let count = 0;
  for await (const item of items)
    yield { file, text: `${count++ === 0 ? '\n' : ',\n'}    ${indented(item, '    ')}` };
  yield { file, text: `${[count === 0 ? ']' : '\n  ]', ...fields(after())].join(',\n')}\n}\n` };
}

function indented(value: unknown, by: string): string {
  return (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${by}`);
}

/** The output of a tool as the text that every other program can hold. */
export function outputText(part: Part): { text: string; failed: boolean } {
  const piece = readPart(part);
  return piece.kind === 'result'
    ? { text: sayOutput(piece), failed: piece.failed }
    : { text: '', failed: false };
}

/** The bytes of a file part as base64, if they are here. */
export function bytesOfFile(part: Part): { base64: string; mediaType: string } | undefined {
  const raw = part.type === 'image' ? part.image : part.data;
  const data = isFields(raw) && raw.type === 'data' ? raw.data : raw;
  const mediaType = typeof part.mediaType === 'string' ? part.mediaType : 'application/octet-stream';
  if (data instanceof Uint8Array) return { base64: Buffer.from(data).toString('base64'), mediaType };
  if (typeof data !== 'string') return undefined;
  const url = /^data:([^;,]+);base64,(.*)$/s.exec(data);
  if (url) return { base64: url[2]!, mediaType: url[1]! };
  return /^https?:/.test(data) ? undefined : { base64: data, mediaType };
}

/** The name of a file where it cannot be shown. */
export function fileName({ filename, mediaType }: Part): string {
  return String(filename ?? mediaType ?? 'file');
}
