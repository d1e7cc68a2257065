/** One spelling for what people take to be the same text: full and half width, case, accents, white space. */
export function foldText(text: string): string {
  return withSingleSpaces(foldLetters(text));
}

/** The same, with white space as it is. */
export function foldLetters(text: string): string {
  const same = normalize(text).toLowerCase();
  if (isAsciiText(same)) return same;
  return same.normalize('NFD').replace(ACCENTS, '').replaceAll('ς', 'σ').normalize('NFC');
}

export function withSingleSpaces(text: string): string {
  return text.replace(NOT_ONE_SPACE, ' ');
}

/** Full and half width, ligatures and composed characters alike, on both sides of the index; without invisible characters. */
export function normalize(text: string): string {
  return isAsciiText(text)
    ? text
    : text.replace(UNSEEN, '').normalize('NFKC').replaceAll('ß', 'ss').replaceAll('ẞ', 'SS');
}

/** By its length in bytes, which is counted many characters at a time; a pattern looks at each. */
export function isAsciiText(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** White space that is not one space already. */
const NOT_ONE_SPACE = /[^\S ]\s*| \s+/g;
const ACCENTS = /[\u0300-\u036f]/g;
/** Hyphens and breaks that only show at the end of a line, joiners of words, and how an emoji is to be painted. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]|[\ufe0e\ufe0f]/g;
