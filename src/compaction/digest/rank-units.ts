import { RowHeap } from './row-heap.ts';
import type { UnitSource, Units } from './unit-rows.ts';

/** How much of a row's worth is gone once its words have all been said. */
const REDUNDANCY = 0.8;
/** What has begun is worth finishing: rows next to a chosen one explain it, and share its line. */
const NEIGHBOUR = 1.6;
const REACH = 3;
const OVERHEAD = 4;

export interface Ranking {
  /** The row that adds most per token to all that was taken before; -1 when nothing is left to say. */
  next(): number;
  /** Counts words as said, when they were said elsewhere in the summary. */
  cover(words: Iterable<number>): void;
}

/**
 * Orders rows by rare words per token, each row counted less for what earlier ones have said. The order does not
 * depend on any budget: a larger one takes the same rows first, so it never loses what a smaller one kept.
 */
export function rankUnits(units: Units, sources: readonly UnitSource[]): Ranking {
  const { count, words, firstWord } = units;
  const rarity = rarities(units);
  const worth = new Float64Array(count);
  const mass = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let at = firstWord[row]!; at < firstWord[row + 1]!; at++) sum += rarity[words[at]!]!;
    mass[row] = sum;
    worth[row] =
      ((sum / (units.cost[row]! + OVERHEAD)) * units.boost[row]! * sources[units.source[row]!]!.weight) /
      1000;
  }
  const said = new Uint8Array(units.vocabulary);
  const taken = new Uint8Array(count);
  const near = new Uint8Array(count);
  const heap = new RowHeap(worth);

  const gainOf = (row: number): number => {
    let old = 0;
    for (let at = firstWord[row]!; at < firstWord[row + 1]!; at++) {
      if (said[words[at]!] === 1) old += rarity[words[at]!]!;
    }
    return worth[row]! * (1 - (REDUNDANCY * old) / mass[row]!) * (near[row] === 1 ? NEIGHBOUR : 1);
  };
  const take = (row: number) => {
    taken[row] = 1;
    for (let at = firstWord[row]!; at < firstWord[row + 1]!; at++) said[words[at]!] = 1;
    for (let other = Math.max(0, row - REACH); other <= Math.min(count - 1, row + REACH); other++) {
      if (near[other] === 1 || taken[other] === 1 || units.source[other] !== units.source[row]) continue;
      near[other] = 1;
      heap.push(other, gainOf(other));
    }
  };

  return {
    next() {
      while (heap.size > 0) {
        const { row } = heap.pop();
        if (taken[row] === 1) continue;
        const gain = gainOf(row);
        if (heap.size > 0 && gain < heap.best) {
          heap.push(row, gain);
          continue;
        }
        take(row);
        return row;
      }
      return -1;
    },
    cover(list) {
      for (const word of list) said[word] = 1;
    },
  };
}

/** A word that few sentences have says much. */
function rarities({ count, frequency, vocabulary }: Units): Float64Array {
  const rarity = new Float64Array(vocabulary);
  for (let word = 0; word < vocabulary; word++)
    rarity[word] = Math.log(1 + count / Math.max(1, frequency[word]!));
  return rarity;
}
