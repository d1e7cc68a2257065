import { isUtf8 } from 'node:buffer';
import type { TranscriptSource } from '../transcript.ts';

/** Lines as they are in the file, without their line breaks. */
interface LineBatch {
  readonly lines: readonly string[];
  /** The file ends here for now. If it has no line break at its end, the last line may still be growing. */
  readonly quiet: boolean;
  /** The text behind the last line break, given once the file is quiet. Take it by calling `take`. */
  readonly rest?: { readonly text: string; take(): void };
  /** Some of the bytes were not UTF-8 and became U+FFFD. */
  readonly notUtf8: boolean;
}

const NEWLINE = 0x0a;
const FIRST_SIZE = 512 * 1024;
/** Longer than any string can be; that line is cut off and skipped. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Splits the bytes of a source at line breaks, a chunk at a time, whatever the length of the file. */
export async function* readLines(source: TranscriptSource): AsyncGenerator<LineBatch> {
  let buffer = Buffer.allocUnsafe(FIRST_SIZE);
  let used = 0;
  for await (const chunk of source.chunks()) {
    if (chunk === null) {
      const rest =
        used === 0 ? undefined : { text: buffer.toString('utf8', 0, used), take: () => (used = 0) };
      const notUtf8 = used > 0 && !isUtf8(buffer.subarray(0, used));
      yield { lines: [], quiet: true, notUtf8, ...(rest && { rest }) };
      continue;
    }
    if (used + chunk.length > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, used + chunk.length));
      buffer.copy(larger, 0, 0, used);
      buffer = larger;
    }
    buffer.set(chunk, used);
    const fresh = used;
    used += chunk.length;
    const newest = buffer.subarray(fresh, used).lastIndexOf(NEWLINE);
    if (newest < 0) {
      if (used <= LONGEST_LINE) continue;
      yield { lines: [buffer.toString('utf8', 0, 1024)], quiet: false, notUtf8: false };
      used = 0;
      continue;
    }
    const end = fresh + newest;
    const whole = buffer.subarray(0, end);
    yield { lines: splitLines(whole), quiet: false, notUtf8: !isUtf8(whole) };
    buffer.copyWithin(0, end + 1, used);
    used -= end + 1;
    if (buffer.length > 16 * FIRST_SIZE && used < FIRST_SIZE) {
      const smaller = Buffer.allocUnsafe(FIRST_SIZE);
      buffer.copy(smaller, 0, 0, used);
      buffer = smaller;
    }
  }
}

/** Each line alone: many short texts are made faster than one long one. */
function splitLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let from = 0; ; ) {
    const end = bytes.indexOf(NEWLINE, from);
    lines.push(bytes.toString('utf8', from, end < 0 ? bytes.length : end));
    if (end < 0) return lines;
    from = end + 1;
  }
}
