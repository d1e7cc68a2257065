import { DIGIT, hashLetters, type Letters, LOWER, SPACELESS, stemEnd, UPPER } from '../../text/index.ts';

/** What makes a token hard to guess once it is gone. */
export const HAS_DIGIT = 1;
export const HAS_CAPITAL = 2;
/** A path, an identifier, something in code marks. */
export const IS_NAME = 4;
export const IS_QUOTED = 8;

/** What stands between two spaces, taken apart. One object is used again and again: there are millions of tokens. */
interface Token {
  /** The token without quotes, brackets and punctuation around it. */
  coreStart: number;
  coreEnd: number;
  /** Of the core as it stands, apostrophes included: what the lists of words are asked for. */
  hash: number;
  /** About how many tokens a model reads for it. */
  cost: number;
  traits: number;
  /** How many of its characters are signs of code. */
  symbols: number;
  /** Hashes of the words in it, `wordCount` of them: "src/parse-date.ts" has four. */
  readonly words: Int32Array;
  wordCount: number;
}

/** Longer ones are read in pieces. */
export const LONGEST_TOKEN = 400;

export function createToken(): Token {
  return {
    coreStart: 0,
    coreEnd: 0,
    hash: 0,
    cost: 0,
    traits: 0,
    symbols: 0,
    words: new Int32Array(LONGEST_TOKEN),
    wordCount: 0,
  };
}

export function readToken(letters: Letters, start: number, stop: number, token: Token): void {
  const end = Math.min(stop, start + LONGEST_TOKEN);
  const { kinds, small } = letters;
  let coreStart = start;
  let coreEnd = end;
  while (coreStart < end && !isWordLetter(kinds[coreStart]!)) coreStart++;
  while (coreEnd > coreStart && !isWordLetter(kinds[coreEnd - 1]!)) coreEnd--;
  const edges = end - coreEnd + coreStart - start;
  token.coreStart = coreStart;
  token.coreEnd = coreEnd;
  token.wordCount = 0;
  token.traits = 0;
  token.symbols = 0;
  for (let at = start; at < coreStart; at++) if (!PROSE_MARKS.has(small[at]!)) token.symbols++;
  for (let at = coreEnd; at < end; at++) if (!PROSE_MARKS.has(small[at]!)) token.symbols++;
  token.hash = coreEnd - coreStart <= 14 ? hashLetters(letters, coreStart, coreEnd) : 0;
  token.cost = edges * 0.4;
  if (coreStart > start) {
    const mark = small[coreStart - 1]!;
    if (mark === BACKTICK) token.traits |= IS_NAME;
    else if (QUOTES.has(mark)) token.traits |= IS_QUOTED;
  }
  readWords(letters, token);
}

const BACKTICK = 0x60;
const QUOTES = new Set([...'"“«「『'].map((mark) => mark.charCodeAt(0)));
/** Marks that prose is full of; the others are a sign of code and tables. */
const PROSE_MARKS = new Set([...`,.!?'"-–—…()“”‘’*\`:;&`].map((mark) => mark.charCodeAt(0)));
const INNER_MARKS = new Set([...`'-._/@&’`].map((mark) => mark.charCodeAt(0)));
/** Inside a token these make it a path or an identifier. */
const JOINTS = new Set([...'/_.:'].map((mark) => mark.charCodeAt(0)));

function isWordLetter(kind: number): boolean {
  return kind >= LOWER && kind <= SPACELESS;
}

/** Runs of letters and digits inside the core; letters of spaceless scripts count in pairs. */
function readWords(letters: Letters, token: Token): void {
  const { kinds, small } = letters;
  const { coreEnd } = token;
  for (let at = token.coreStart; at < coreEnd; ) {
    const kind = kinds[at]!;
    if (!isWordLetter(kind)) {
      if (JOINTS.has(small[at]!)) token.traits |= IS_NAME;
      if (!INNER_MARKS.has(small[at]!)) token.symbols++;
      token.cost += 0.5;
      at++;
      continue;
    }
    at = kind === SPACELESS ? addPairs(letters, at, token) : addRun(letters, at, token);
  }
}

/** One run of letters and digits; returns where it ends. */
function addRun(letters: Letters, start: number, token: Token): number {
  const { kinds } = letters;
  const first = kinds[start]!;
  let previous = first;
  let digits = first === DIGIT ? 1 : 0;
  let end = start + 1;
  for (; end < token.coreEnd; end++) {
    const kind = kinds[end]!;
    if (kind < LOWER || kind >= SPACELESS) break;
    if (kind === UPPER && previous === LOWER) token.traits |= IS_NAME;
    if (kind === DIGIT) digits++;
    previous = kind;
  }
  const length = end - start;
  if (digits > 0) token.traits |= HAS_DIGIT;
  if (first === UPPER && length > 1) token.traits |= HAS_CAPITAL;
  token.cost += digits > 0 ? 0.4 + length / 2.6 : length <= 7 ? 1 : 1 + (length - 7) / 4;
  // What an apostrophe leaves behind ("s", "t", "ll") is no word.
  const leftover = length < 3 && start > token.coreStart && letters.small[start - 1] === APOSTROPHE;
  if (!leftover) token.words[token.wordCount++] = hashLetters(letters, start, stemEnd(letters, start, end));
  return end;
}

const APOSTROPHE = 39;

function addPairs(letters: Letters, start: number, token: Token): number {
  let end = start + 1;
  while (end < token.coreEnd && letters.kinds[end] === SPACELESS) end++;
  token.cost += (end - start) * 0.8;
  if (end - start === 1) token.words[token.wordCount++] = hashLetters(letters, start, end);
  for (let at = start; at + 1 < end; at++) token.words[token.wordCount++] = hashLetters(letters, at, at + 2);
  return end;
}
