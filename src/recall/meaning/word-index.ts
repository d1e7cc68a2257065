/** Where pieces inside a word are kept apart from whole words and the pieces at their start. */
export const START = 0x811c9dc5;
export const INSIDE = 0x2f0b4c47;

/** Finds rows by the letters of a word, as they stand in a text: nothing is cut out of it, and memory is touched once. */
export interface WordIndex {
  /** The row, or -1. Two words with one hash of 32 bits are taken for each other, which is one in a hundred thousand. */
  rowOf(hash: number): number;
  /** How long the longest word can be that begins with these two letters; both are ASCII. */
  longest(start: number, first: number, second: number): number;
}

/** One letter more (FNV-1a). */
export function hashOn(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export function hashOf(text: string, from: number, to: number, start: number): number {
  let hash = start;
  for (let at = from; at < to; at++) hash = hashOn(hash, text.charCodeAt(at));
  return hash;
}

/** In the list, pieces inside a word begin with `##`. */
export function createWordIndex(list: readonly string[]): WordIndex {
  const bits = Math.ceil(Math.log2(3 * list.length));
  const last = 2 ** bits - 1;
  const hashes = new Int32Array(last + 1);
  const rows = new Int32Array(last + 1).fill(-1);
  const lengths = new Map([START, INSIDE].map((start) => [start, new Uint8Array(2 ** 14)]));

  function slotOf(hash: number): number {
    let slot = Math.imul(hash, 0x9e3779b1) >>> (32 - bits);
    while (rows[slot] !== -1 && hashes[slot] !== hash) slot = (slot + 1) & last;
    return slot;
  }

  for (const [row, word] of list.entries()) {
    const start = word.startsWith('##') ? INSIDE : START;
    const letters = start === INSIDE ? word.slice(2) : word;
    const hash = hashOf(letters, 0, letters.length, start);
    const slot = slotOf(hash);
    hashes[slot] = hash;
    rows[slot] = row;
    const pair = pairOf(letters.charCodeAt(0), letters.charCodeAt(1));
    const known = lengths.get(start)!;
    if (letters.length > 1 && pair < known.length) known[pair] = Math.max(known[pair]!, letters.length);
  }

  return {
    rowOf: (hash) => rows[slotOf(hash)]!,
    longest: (start, first, second) => lengths.get(start)![pairOf(first, second)]! || 1,
  };
}

function pairOf(first: number, second: number): number {
  return first * 128 + second;
}
