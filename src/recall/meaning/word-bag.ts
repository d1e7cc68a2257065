import { type ReadWords, WORD_NUMBERS } from './read-words.ts';
import type { WordTable } from './word-table.ts';

// Which words a message has, in two bytes each. It lets a query word be compared with every word of a message without
// reading the message.

const MOST_WORDS = 96;

/** Distinct words in order, stop words left out. */
export function wordBag(stretches: readonly ReadWords[]): Uint16Array {
  const bag = new Set<number>();
  for (const { numbers } of stretches) {
    for (const number of numbers) {
      if (bag.size >= MOST_WORDS) return Uint16Array.from(bag);
      bag.add(number);
    }
  }
  return Uint16Array.from(bag);
}

/** How alike a query word is to each word that a bag can hold, by number. */
export function likenessTo(word: string, table: WordTable, weigh: (cosine: number) => number): Float32Array {
  const alike = new Float32Array(WORD_NUMBERS);
  const read = table.read(word);
  alike.set(table.likenesses(table.embed(read)).map(weigh));
  for (const number of read.numbers) alike[number] = 1;
  return alike;
}
