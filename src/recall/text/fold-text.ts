/** One spelling for what people take to be the same text: full and half width, case, accents, white space. */
export function foldText(text: string): string {
  const same = normalize(text).toLowerCase();
  const bare = isAscii(same) ? same : same.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  return withSingleSpaces(bare);
}

export function withSingleSpaces(text: string): string {
  return text.replace(NOT_ONE_SPACE, ' ');
}

/** Full and half width, ligatures and composed characters alike, on both sides of the index. */
export function normalize(text: string): string {
  return isAscii(text) ? text : text.normalize('NFKC');
}

/** By its length in bytes, which is counted many characters at a time; a pattern looks at each. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** Lower case without accents, every character where it was: for finding places in the text itself. */
export function foldInPlace(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : text;
  return isAscii(same) ? same : same.replace(LATIN, (letter) => letter.normalize('NFD')[0]!);
}

/** White space that is not one space already. */
const NOT_ONE_SPACE = /[^\S ]\s*| \s+/g;
const ACCENTS = /[\u0300-\u036f]/g;
const LATIN = /[\u00c0-\u024f\u1e00-\u1eff]/g;
