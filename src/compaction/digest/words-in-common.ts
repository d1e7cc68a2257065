import type { Line } from './lines.ts';

/**
 * How many words each line of a list has in common with others, counted for the whole list at once: to hold every line
 * against every other would take the square of their number. The counts are only good until the next call.
 */
export function wordsInCommon(
  lines: readonly Line[],
  isCounted: (word: string) => boolean = () => true,
): (words: ReadonlySet<string>) => Int32Array {
  const places = new Map<string, number[]>();
  lines.forEach(({ words }, at) => {
    for (const word of words) {
      const known = places.get(word);
      if (known) known.push(at);
      else if (isCounted(word)) places.set(word, [at]);
    }
  });
  const counts = new Int32Array(lines.length);
  return (words) => {
    counts.fill(0);
    for (const word of words) for (const at of places.get(word) ?? NOWHERE) counts[at]!++;
    return counts;
  };
}

const NOWHERE: readonly number[] = [];
