/** Where pieces inside a word are kept apart from whole words and the pieces at their start. */
export const START = 0x811c9dc5;
export const INSIDE = 0x2f0b4c47;

/** Finds rows by the letters of a word, as they stand in a text: nothing is cut out of it, and memory is touched once. */
export interface WordIndex {
  /** The row, or -1. Two words with one hash of 32 bits are taken for each other, which is one in a hundred thousand. */
  rowOf(hash: number): number;
  /** Which lengths words have that begin with three letters of this hash, as bits: most need not be looked up. */
  lengths(hash: number): number;
}

const LENGTHS = 2 ** 16;
/** Bits in a number, less one. */
export const LONGEST = 31;

/** One letter more (FNV-1a). */
export function hashOn(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export function hashOf(word: string, start: number): number {
  let hash = start;
  for (let at = 0; at < word.length; at++) hash = hashOn(hash, word.charCodeAt(at));
  return hash;
}

/** In the list, pieces inside a word begin with `##`. */
export function createWordIndex(list: readonly string[]): WordIndex {
  const bits = Math.ceil(Math.log2(3 * list.length));
  const last = 2 ** bits - 1;
  // For each slot the hash and, beside it in memory, the row.
  const slots = new Int32Array(2 * (last + 1)).fill(-1);
  const lengths = new Uint32Array(LENGTHS);

  function slotOf(hash: number): number {
    let slot = Math.imul(hash, 0x9e3779b1) >>> (32 - bits);
    while (slots[2 * slot] !== hash && slots[2 * slot + 1] !== -1) slot = (slot + 1) & last;
    return slot;
  }

  for (const [row, word] of list.entries()) {
    const start = word.startsWith('##') ? INSIDE : START;
    const letters = start === INSIDE ? word.slice(2) : word;
    const hash = hashOf(letters, start);
    const slot = slotOf(hash);
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = row;
    const beginning = hashOf(letters.slice(0, 3), start);
    lengths[beginning & (LENGTHS - 1)]! |= 1 << Math.min(LONGEST, letters.length);
  }

  return {
    rowOf: (hash) => slots[2 * slotOf(hash) + 1]!,
    lengths: (hash) => lengths[hash & (LENGTHS - 1)]!,
  };
}
