/** A line on its way out. `n` is the place it had in the file it came from. */
export interface PlacedLine {
  readonly n?: number | undefined;
  readonly text: string;
}

/** Lines that wait for one that does not come are let go after so many. */
const MOST_WAITING = 5000;

/**
 * Puts lines back where they stood: a message may be made of several that had others between them. Lines without a place
 * are new and come behind all that have been seen.
 */
export async function* inOrder(lines: AsyncIterable<PlacedLine>): AsyncGenerator<string> {
  const waiting = new Map<number, string>();
  let next = 0;

  function* ready(): Generator<string> {
    for (let text = waiting.get(next); text !== undefined; text = waiting.get(next)) {
      waiting.delete(next++);
      yield text;
    }
  }

  function* all(): Generator<string> {
    for (const n of [...waiting.keys()].sort((a, b) => a - b)) {
      yield waiting.get(n)!;
      next = Math.max(next, n + 1);
    }
    waiting.clear();
  }

  for await (const { n, text } of lines) {
    if (n === undefined || n < next) {
      yield* all();
      yield text;
      continue;
    }
    waiting.set(n, text);
    yield* ready();
    if (waiting.size > MOST_WAITING) yield* all();
  }
  yield* all();
}
