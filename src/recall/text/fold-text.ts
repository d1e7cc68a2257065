/** One spelling for what people take to be the same text: full and half width, case, accents, white space. */
export function foldText(text: string): string {
  const same = normalize(text).toLowerCase();
  const bare = NOT_ASCII.test(same) ? same.normalize('NFD').replace(ACCENTS, '').normalize('NFC') : same;
  return bare.replace(/\s+/g, ' ');
}

/** Full and half width, ligatures and composed characters alike, on both sides of the index. */
export function normalize(text: string): string {
  return NOT_ASCII.test(text) ? text.normalize('NFKC') : text;
}

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** Lower case without accents, every character where it was: for finding places in the text itself. */
export function foldInPlace(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : text;
  return NOT_ASCII.test(same) ? same.replace(LATIN, (letter) => letter.normalize('NFD')[0]!) : same;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, all of it.
const NOT_ASCII = /[^\x00-\x7f]/;
const ACCENTS = /[\u0300-\u036f]/g;
const LATIN = /[\u00c0-\u024f\u1e00-\u1eff]/g;
