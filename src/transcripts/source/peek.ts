import type { TranscriptSource } from '../transcript.ts';
import { parseObject } from './recover-line.ts';

/** The first character that is no blank, and the source whole. */
export async function peekFirst(
  source: TranscriptSource,
): Promise<{ source: TranscriptSource; first: string }> {
  const { source: whole, text } = await lookAhead(source, (seen) => seen.trim() !== '');
  return {
    source: whole,
    first: text
      .replace(/^\ufeff/, '')
      .trimStart()
      .slice(0, 1),
  };
}

/** Looks at how a source begins, and gives it back whole. `isLines`: it is objects, one on each line. */
export async function peek(
  source: TranscriptSource,
): Promise<{ source: TranscriptSource; isLines: boolean }> {
  const { source: whole, text } = await lookAhead(
    source,
    (seen) => seen.trimStart().split('\n', LINES).length === LINES,
  );
  const [first = '', ...more] = text
    .replace(/^\ufeff/, '')
    .trimStart()
    .split('\n', LINES);
  const alone = !text.trim().includes('\n');
  const value = parseObject(first);
  // One object on one line may be either; a list of messages in it says that it is the whole. A bracket alone is how an
  // indented object begins, or all that is left of a first line: then the lines behind it start like the first one did.
  const isLines =
    value !== undefined
      ? !(alone && Array.isArray(value.messages))
      : !/^\{\s*$/.test(first) || more.some((line) => line.startsWith('{"'));
  return { isLines, source: whole };
}

const LINES = 5;

const MOST_AHEAD = 1 << 20;

async function lookAhead(
  source: TranscriptSource,
  isEnough: (text: string) => boolean,
): Promise<{ source: TranscriptSource; text: string }> {
  const iterator = source.chunks()[Symbol.asyncIterator]();
  const chunks: (Uint8Array | null)[] = [];
  let text = '';
  for (;;) {
    const { value, done } = await iterator.next();
    if (done || value === null) {
      if (!done) chunks.push(null);
      break;
    }
    chunks.push(Uint8Array.from(value));
    text += Buffer.from(value).toString('utf8');
    if (isEnough(text) || text.length > MOST_AHEAD) break;
  }
  return {
    text,
    source: {
      ...source,
      async *chunks() {
        yield* chunks;
        for (;;) {
          const { value: next, done } = await iterator.next();
          if (done) return;
          yield next;
        }
      },
    },
  };
}
