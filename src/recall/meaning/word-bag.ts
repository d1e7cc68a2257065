import { isStopWord } from '../text/stop-words.ts';
import type { WordTable } from './word-table.ts';

// Which words a message has, in two bytes each: the table's row, or for a word that the table lacks a number above the
// rows, by hash. It lets a query word be compared with every word of a message without reading the message.

const SIZE = 2 ** 16;
const MOST_WORDS = 96;

/** Distinct words in order, stop words left out. */
export function wordBag(words: readonly string[], table: WordTable): Uint16Array {
  const bag = new Set<number>();
  for (const word of words) {
    if (bag.size >= MOST_WORDS) break;
    if (!isStopWord(word)) bag.add(wordNumber(word, table));
  }
  return Uint16Array.from(bag);
}

export function wordNumber(word: string, table: WordTable): number {
  return table.rowOf(word) ?? table.size + (hash(word) % (SIZE - table.size));
}

/** How alike a query word is to each word that a bag can hold, by number. */
export function likenessTo(word: string, table: WordTable, weigh: (cosine: number) => number): Float32Array {
  const alike = new Float32Array(SIZE);
  alike.set(table.likenesses(table.embed([word])).map(weigh));
  alike[wordNumber(word, table)] = 1;
  return alike;
}

/** FNV-1a. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
