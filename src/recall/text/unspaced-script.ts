// Scripts that are written without spaces between words. A word of them has no edges that an index could cut at, so the
// index holds every pair of neighbouring characters, and the last character of a run alone: then each character begins
// exactly one token, a two-character word is a token, and a longer one is a row of tokens.
const UNSPACED =
  '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]&&[\\p{L}\\p{N}\\p{M}]]';
const RUNS = new RegExp(`${UNSPACED}+`, 'gv');
const ANY = new RegExp(UNSPACED, 'v');
/** Letters, digits and the marks that belong to them: what the tokenizer makes words of. */
const PIECES = new RegExp(`(?<run>${UNSPACED}+)|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, 'gv');

export interface Piece {
  readonly text: string;
  readonly unspaced: boolean;
}

export function isUnspaced(character: string): boolean {
  return ANY.test(character);
}

/** The words of a text, as far as spaces and punctuation show them, and its unspaced runs. */
export function piecesOf(text: string): Piece[] {
  return Array.from(text.matchAll(PIECES), (match) => ({
    text: match[0],
    unspaced: match.groups?.run !== undefined,
  }));
}

/** The text with every unspaced run written as its tokens. */
export function spaceOut(text: string): string {
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
