import { foldText, isAsciiText } from '../text/fold-text.ts';
import { isStopWord, STOP_WORDS } from '../text/index-text.ts';

/** A text as the word table sees it. */
export interface ReadWords {
  /** Rows of its words, or of their pieces: what its vector is the sum of. */
  readonly rows: number[];
  /** A number in two bytes for each word but stop words: its row or, for one without, one above the rows, by hash. */
  readonly numbers: number[];
  /** The number of words with a separate row. */
  known: number;
}

/** How many numbers words can have. */
export const WORD_NUMBERS = 2 ** 16;

const LONGEST_WORD = 40;

/** For each byte of a text the letter or digit that it is, in lower case; 0 for others. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = code < 128 ? String.fromCharCode(code).toLowerCase() : '';
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});

/** Makes the reader for a list of words, in which pieces inside a word begin with `##`. */
export function createWordReader(list: readonly string[]): (text: string) => ReadWords {
  const index = createWordIndex(list);
  const stops = Uint8Array.from(list, (word) => (isStopWord(word) ? 1 : 0));
  const otherStops = new Set(Array.from(STOP_WORDS, (word) => hashOf(word, START)));
  // Reading bytes is much faster than reading the characters of a text that may be stored in many ways.
  let bytes = Buffer.alloc(4096);

  /** `true` if the word has a row, or needs none. */
  function addWord(hash: number, to: ReadWords): boolean {
    const row = index.rowOf(hash);
    if (row !== -1) {
      to.known++;
      to.rows.push(row);
      if (stops[row] === 0) to.numbers.push(row);
      return true;
    }
    if (otherStops.has(hash)) return true;
    to.numbers.push(list.length + ((hash >>> 0) % (WORD_NUMBERS - list.length)));
    return false;
  }

  function addAscii(text: string, to: ReadWords): void {
    if (text.length >= bytes.length) bytes = Buffer.alloc(2 * text.length);
    const end = bytes.write(text, 'latin1');
    // So that the last word ends like the others.
    bytes[end] = 0;
    let start = -1;
    let hash = START;
    for (let at = 0; at <= end; at++) {
      const letter = LETTERS[bytes[at]!]!;
      if (letter !== 0) {
        if (start === -1) start = at;
        hash = hashOn(hash, letter);
        bytes[at] = letter;
      } else if (start !== -1) {
        if (!addWord(hash, to) && at - start <= LONGEST_WORD)
          addPieces(index, bytes, { start, end: at }, to.rows);
        start = -1;
        hash = START;
      }
    }
  }

  return (text) => {
    const read: ReadWords = { rows: [], numbers: [], known: 0 };
    if (isAsciiText(text)) addAscii(text, read);
    else
      for (const word of foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []) {
        // The pieces are English: a word in another script has none.
        if (isAsciiText(word)) addAscii(word, read);
        else addWord(hashOf(word, START), read);
      }
    return read;
  };
}

/**
 * Spells a word that the list lacks with the longest pieces from left to right. One that cannot be spelled in full is
 * not spelled at all.
 */
function addPieces(
  index: WordIndex,
  word: Uint8Array,
  { start, end }: { start: number; end: number },
  rows: number[],
): void {
  const before = rows.length;
  for (let from = start; from < end; ) {
    let row = -1;
    let to = from;
    let hash = from === start ? START : INSIDE;
    let lengths = ALL;
    const last = Math.min(end, from + LONGEST);
    for (let at = from, length = 1; at < last; at++, length++) {
      hash = hashOn(hash, word[at]!);
      if (length === 3) lengths = index.lengths(hash);
      if (lengths >>> length === 0) break;
      if ((lengths & (1 << length)) === 0) continue;
      const piece = index.rowOf(hash);
      if (piece === -1) continue;
      row = piece;
      to = at + 1;
    }
    if (row === -1) {
      rows.length = before;
      return;
    }
    rows.push(row);
    from = to;
  }
}

const ALL = 0xffffffff;

/** Where pieces inside a word are kept apart from whole words and the pieces at their start. */
const START = 0x811c9dc5;
const INSIDE = 0x2f0b4c47;

/** Finds rows by the letters of a word, as they stand in a text: nothing is cut out of it, and memory is touched once. */
interface WordIndex {
  /** The row, or -1. Two words with one hash of 32 bits are taken for each other, which is one in a hundred thousand. */
  rowOf(hash: number): number;
  /** Which lengths words have that begin with three letters of this hash, as bits: most need not be looked up. */
  lengths(hash: number): number;
}

const LENGTHS = 2 ** 16;
/** Bits in a number, less one. */
const LONGEST = 31;

/** One letter more (FNV-1a). */
function hashOn(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

function hashOf(word: string, start: number): number {
  let hash = start;
  for (let at = 0; at < word.length; at++) hash = hashOn(hash, word.charCodeAt(at));
  return hash;
}

/** In the list, pieces inside a word begin with `##`. */
function createWordIndex(list: readonly string[]): WordIndex {
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
