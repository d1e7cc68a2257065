import { type ReadWords, WORD_NUMBERS } from './read-words.ts';
import type { WordTable } from './word-table.ts';

// Which words a message has, in two bytes each. It lets a query word be compared with every word of a message without
// reading the message.

const MOST_WORDS = 96;

// For each number which bag had it last, and the bag that is being filled: nothing has to be made for one that is read
// by the thousand.
const lastIn = new Uint32Array(WORD_NUMBERS);
const bag = new Uint16Array(MOST_WORDS);
let current = 0;

/** Distinct words in order, stop words left out. */
export function wordBag(stretches: readonly ReadWords[]): Uint16Array {
  if (++current === 2 ** 32) {
    lastIn.fill(0);
    current = 1;
  }
  let size = 0;
  for (const { numbers } of stretches) {
    for (let at = 0; at < numbers.length && size < MOST_WORDS; at++) {
      const number = numbers[at]!;
      if (lastIn[number] === current) continue;
      lastIn[number] = current;
      bag[size++] = number;
    }
  }
  return bag.slice(0, size);
}

/** How alike a query word is to each word that a bag can hold, by number. */
export function likenessTo(word: string, table: WordTable, weigh: (cosine: number) => number): Float32Array {
  const alike = new Float32Array(WORD_NUMBERS);
  const read = table.read(word);
  alike.set(table.likenesses(table.embed(read)).map(weigh));
  for (const number of read.numbers) alike[number] = 1;
  return alike;
}
