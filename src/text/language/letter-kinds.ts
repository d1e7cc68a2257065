/** What a UTF-16 code unit is to the digest. Looked up per character, so kept in one byte table that fills on demand. */
const SYMBOL = 1;
export const SPACE = 2;
export const LINE_END = 3;
export const LOWER = 4;
export const UPPER = 5;
export const DIGIT = 6;
/** A letter of a script that is written without spaces: its words are compared by pairs of letters. */
export const SPACELESS = 7;
/** Ends a sentence wherever it stands; a Latin full stop does so only before a space. */
export const FULL_STOP = 8;

const table = new Uint8Array(0x10000);
const lower = new Uint16Array(0x10000);

export function kindOf(code: number): number {
  return table[code] || learn(code);
}

/** The small letter as a code unit; letters whose small form is longer stay as they are. */
export function lowerOf(code: number): number {
  if (table[code] === 0) learn(code);
  return lower[code]!;
}

function learn(code: number): number {
  const letter = String.fromCharCode(code);
  const small = letter.toLowerCase();
  lower[code] = small.length === 1 ? small.charCodeAt(0) : code;
  const kind = classify(letter);
  table[code] = kind;
  return kind;
}

function classify(letter: string): number {
  if (/[\n\r\u2028\u2029]/.test(letter)) return LINE_END;
  if (/\s/.test(letter)) return SPACE;
  if (/[。！？｡]/.test(letter)) return FULL_STOP;
  if (SPACELESS_SCRIPTS.test(letter)) return SPACELESS;
  if (/\p{N}/u.test(letter)) return DIGIT;
  if (/\p{Lu}/u.test(letter)) return UPPER;
  return /[\p{L}\p{M}]/u.test(letter) ? LOWER : SYMBOL;
}

const SPACELESS_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u;
