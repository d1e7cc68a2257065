import { isAsciiText, normalize } from './fold-text.ts';

const MOST_EXTRAS = 400;

/**
 * The text as the full-text index gets it: in one spelling, unspaced scripts as tokens, and behind it the words that
 * are hidden in names: `open`, `sqlite` and `store` for `openSqliteStore`, `cplusplus` for `C++`. Names stay whole in
 * their place, so phrases are not disturbed.
 */
export function indexText(text: string): string {
  const plain = isAsciiText(text) ? text : spaceOut(withoutSigns(normalize(text)));
  const extras = new Set<string>();
  addNameParts(text, extras, MOST_EXTRAS);
  addSignWords(text, extras);
  return extras.size === 0 ? plain : `${plain}\n${[...extras].join(' ')}`;
}

const SIGNS = /[^\p{ASCII}\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The index's idea of a letter is years old: to it, an emoji of today is one, and sticks to the word. */
function withoutSigns(text: string): string {
  return text.replace(SIGNS, ' ');
}

/** `C++` and `c#` are words whose signs matter; they are kept under the name they have when they are spoken. */
export function signWord(word: string): string | undefined {
  const match = /^([a-z]\w{0,11}?)(\+\+|#)$/i.exec(word);
  return match ? spoken(match[1]!, match[2]!) : undefined;
}

const SIGNED = /(?<![A-Za-z0-9_])([A-Za-z]\w{0,11}?)(\+\+|#)(?![+#])/g;

function addSignWords(text: string, words: Set<string>): void {
  if (!text.includes('++') && !text.includes('#')) return;
  for (const [, word, sign] of text.matchAll(SIGNED)) words.add(spoken(word!, sign!));
}

function spoken(word: string, sign: string): string {
  return word.toLowerCase() + (sign === '#' ? 'sharp' : 'plusplus');
}

/** English words that say nothing about the query. Only queries lose them: the index has every word. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are aren as at be because been before being below between both
  but by can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has
  hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just let ll m me
  more most mustn my myself no nor not now of off on once only or other our ours ourselves out over own re s same shan
  she should shouldn so some such t than that the their theirs them themselves then there these they this those through
  to too under until up ve very was wasn we were weren what when where which while who whom why will with won would
  wouldn you your yours yourself yourselves`.split(/\s+/),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** A longer text is no typed name. */
const LONGEST_NAME = 64;
const HUMP = /[a-z][A-Z]/g;

/** The words that are hidden in the names of a text: `open`, `sqlite` and `store` in `openSqliteStore`. */
function addNameParts(text: string, parts: Set<string>, most: number): void {
  HUMP.lastIndex = 0;
  for (let hump = HUMP.exec(text); hump && parts.size < most; hump = HUMP.exec(text)) {
    let start = hump.index;
    let end = hump.index + 2;
    while (start > 0 && isNameCode(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isNameCode(text.charCodeAt(end))) end++;
    HUMP.lastIndex = end;
    if (end - start > LONGEST_NAME) continue;
    for (const part of nameParts(text.slice(start, end))) if (part.length > 1) parts.add(part);
  }
}

function nameParts(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
}

/** Whether there is another word in it than the first. */
export function isName(text: string): boolean {
  return /[A-Za-z0-9][A-Z]/.test(text);
}

/** Where the word of a name ends that begins at this place; nothing if none does. */
export function namePartEnd(text: string, start: number): number | undefined {
  if (!isNameCode(text.charCodeAt(start)) || !partsAt(text, start)) return undefined;
  const most = Math.min(text.length, start + LONGEST_NAME);
  let end = start + 1;
  while (end < most && !partsAt(text, end)) end++;
  return end;
}

/** Whether a word of a name ends before this place, or the name itself. */
function partsAt(text: string, at: number): boolean {
  const [before, here, after] = [text.charCodeAt(at - 1), text.charCodeAt(at), text.charCodeAt(at + 1)];
  if (!isNameCode(before) || !isNameCode(here)) return true;
  return isCapital(here) && (!isCapital(before) || isSmall(after));
}

function isNameCode(code: number): boolean {
  return isSmall(code) || isCapital(code) || (code >= 48 && code <= 57);
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

// Scripts that are written without spaces between words. A word of them has no edges that an index could cut at, so the
// index holds every pair of neighbouring characters, and the last character of a run alone: then each character begins
// exactly one token, a two-character word is a token, and a longer one is a row of tokens.
const UNSPACED =
  '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]&&[\\p{L}\\p{N}\\p{M}]]';
const RUNS = new RegExp(`${UNSPACED}+`, 'gv');
const ANY = new RegExp(UNSPACED, 'v');
/** Letters, digits and the marks that belong to them: what the tokenizer makes words of. */
const PIECES = new RegExp(`(?<run>${UNSPACED}+)|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, 'gv');

export interface IndexPiece {
  readonly text: string;
  readonly unspaced: boolean;
}

export function isUnspaced(character: string): boolean {
  return ANY.test(character);
}

/** The words of a text, as far as spaces and punctuation show them, and its unspaced runs. */
export function indexPiecesOf(text: string): IndexPiece[] {
  return Array.from(text.matchAll(PIECES), (match) => ({
    text: match[0],
    unspaced: match.groups?.run !== undefined,
  }));
}

/** The text with every unspaced run written as its tokens. */
function spaceOut(text: string): string {
  return text.replace(RUNS, (run) => ` ${[...pairsOf(run), lastOf(run)].join(' ')} `);
}

/** Every two neighbouring characters of a run. */
export function pairsOf(run: string): string[] {
  const points = [...run];
  return points.slice(1).map((point, index) => points[index] + point);
}

export function lastOf(run: string): string {
  return [...run].at(-1)!;
}
