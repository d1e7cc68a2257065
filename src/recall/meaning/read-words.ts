import { foldText } from '../text/fold-text.ts';
import { isStopWord } from '../text/stop-words.ts';
import { createWordIndex, hashOf, hashOn, INSIDE, LONGEST, START, type WordIndex } from './word-index.ts';

/** A text as the word table sees it. */
export interface ReadWords {
  /** Rows of its words, or of their pieces: what its vector is the sum of. */
  readonly rows: number[];
  /** A number in two bytes for each word but stop words: its row or, for one without, one above the rows, by hash. */
  readonly numbers: number[];
  /** How many words have a row of their own. */
  known: number;
}

/** How many numbers words can have. */
export const WORD_NUMBERS = 2 ** 16;

const LONGEST_WORD = 40;
const LONGEST_STOP_WORD = 10;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, all of it.
const ASCII = /^[\x00-\x7f]*$/;

/** Makes the reader for a list of words, in which pieces inside a word begin with `##`. */
export function createWordReader(list: readonly string[]): (text: string) => ReadWords {
  const index = createWordIndex(list);
  const stops = Uint8Array.from(list, (word) => (isStopWord(word) ? 1 : 0));

  function addWord(text: string, start: number, end: number, to: ReadWords): void {
    const hash = hashOf(text, start, end, START);
    const row = index.rowOf(hash);
    if (row !== -1) {
      to.known++;
      to.rows.push(row);
      if (stops[row] === 0) to.numbers.push(row);
      return;
    }
    if (end - start <= LONGEST_STOP_WORD && isStopWord(text.slice(start, end))) return;
    to.numbers.push(list.length + ((hash >>> 0) % (WORD_NUMBERS - list.length)));
    if (end - start <= LONGEST_WORD) addPieces(index, text, { start, end }, to.rows);
  }

  return (text) => {
    const read: ReadWords = { rows: [], numbers: [], known: 0 };
    if (ASCII.test(text)) eachWord(text.toLowerCase(), (all, start, end) => addWord(all, start, end, read));
    else
      for (const word of foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []) addWord(word, 0, word.length, read);
    return read;
  };
}

/** Every run of letters and digits of an ASCII text. */
function eachWord(text: string, visit: (text: string, start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const inWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (inWord && start === -1) start = at;
    if (inWord || start === -1) continue;
    visit(text, start, at);
    start = -1;
  }
}

/**
 * Spells a word that the list lacks with the longest pieces from left to right. One that cannot be spelled in full is
 * not spelled at all, nor is anything that is not plain ASCII: the pieces are English.
 */
function addPieces(
  index: WordIndex,
  text: string,
  { start, end }: { start: number; end: number },
  rows: number[],
): void {
  const before = rows.length;
  for (let from = start; from < end; ) {
    const { row, to } = longestPiece(index, text, { from, end, kind: from === start ? START : INSIDE });
    if (row === -1) {
      rows.length = before;
      return;
    }
    rows.push(row);
    from = to;
  }
}

function longestPiece(
  index: WordIndex,
  text: string,
  { from, end, kind }: { from: number; end: number; kind: number },
): { row: number; to: number } {
  let [row, to, hash, lengths] = [-1, from, kind, ALL];
  const last = Math.min(end, from + LONGEST);
  for (let at = from, length = 1; at < last; at++, length++) {
    const code = text.charCodeAt(at);
    if (code >= 128) break;
    hash = hashOn(hash, code);
    if (length === 3) lengths = index.lengths(hash);
    if (lengths >>> length === 0) break;
    if ((lengths & (1 << length)) === 0) continue;
    const piece = index.rowOf(hash);
    if (piece !== -1) [row, to] = [piece, at + 1];
  }
  return { row, to };
}

const ALL = 0xffffffff;
