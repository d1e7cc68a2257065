import { Letters } from './lines.ts';

/** A word's number: FNV-1a over its small letters, so that words are compared without making strings. */
export function hashLetters({ small }: Letters, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ small[index]!, 0x01000193);
  return hash || 1;
}

export function hashWord(word: string): number {
  return hashLetters(letters.load(word), 0, word.length);
}

const letters = new Letters();

export function hashWords(words: string): Set<number> {
  return new Set(words.split(/\s+/).map((word) => hashWord(word)));
}

/**
 * Where the stem of an English-looking word ends: plurals, -ed, -ing, -ly and a last e go, so that "painted" and
 * "painting" count as one word. Wrong now and then, alike for every mention, which is all that counting needs.
 */
export function stemEnd({ small }: Letters, start: number, end: number): number {
  let stop = end;
  const length = end - start;
  if (length > 3 && small[stop - 1] === S) {
    const before = small[stop - 2];
    if (before !== S && before !== U && before !== I) stop -= 1;
  }
  if (stop - start > 4) {
    const [last, before] = [small[stop - 1], small[stop - 2]];
    if (last === G && before === N && small[stop - 3] === I && stop - start > 5) stop -= 3;
    else if (last === D && before === E) stop -= 2;
    else if (last === Y && before === L && stop - start > 5) stop -= 2;
  }
  if (stop - start > 3) {
    const last = small[stop - 1];
    if (last === E || (last === small[stop - 2] && last !== S && last !== L)) stop -= 1;
  }
  return stop;
}

const [S, U, I, G, N, D, E, Y, L] = [...'suigndeyl'].map((letter) => letter.charCodeAt(0));
