import type { Query, Term } from '../search/parse-query.ts';
import { foldInPlace } from './fold-text.ts';
import { isUnspaced } from './unspaced-script.ts';

/** A part of a query in a text. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** Which part of the query it is. */
  readonly part: number;
}

/** In order; longer ones first where several begin. */
export type FindPlaces = (text: string) => Place[];

const MOST_PLACES = 500;

/** Finds in a text what the index took for a match; made once per query, because patterns are costly to make. */
export function placesOf({ terms, literals }: Query): FindPlaces {
  const patterns = [
    ...literals.map(({ folded }) => ({ pattern: new RegExp(spaced(folded), 'gu'), stem: undefined })),
    ...terms.map((term) => ({
      pattern: new RegExp(patternOf(term), 'gu'),
      stem: term.kind === 'word' ? term.shown : undefined,
    })),
  ];
  return (text) => {
    const folded = foldInPlace(text);
    const places: Place[] = [];
    for (const [part, { pattern, stem }] of patterns.entries()) {
      let left = MOST_PLACES;
      for (const { 0: found, index } of folded.matchAll(pattern)) {
        if (stem !== undefined && !sameStem(found, stem)) continue;
        if (found !== '') places.push({ from: index, to: index + found.length, part });
        if (--left === 0) break;
      }
    }
    return places.sort((a, b) => a.from - b.from || b.to - a.to);
  };
}

function patternOf({ kind, shown }: Term): string {
  switch (kind) {
    case 'pair':
      return spaced(shown);
    case 'prefix':
      return `(?<![\\p{L}\\p{N}])${shown.split(' ').map(RegExp.escape).join('[^\\p{L}\\p{N}]+')}[\\p{L}\\p{N}\\p{M}]*`;
    case 'word':
      if (!/^[\p{L}\p{N}\p{M}]+$/u.test(shown)) return spaced(shown);
      return `(?<![\\p{L}\\p{N}])${RegExp.escape(shown.slice(0, stemLength(shown)))}[\\p{L}\\p{N}\\p{M}]*`;
    case 'phrase':
      return shown
        .split(/[^\p{L}\p{N}\p{M}]+/u)
        .filter(Boolean)
        .map(RegExp.escape)
        .join('[^\\p{L}\\p{N}]+');
  }
}

/** As it stands, whatever white space there is in it; not inside a longer word. */
function spaced(shown: string): string {
  const words = shown.split(' ').map(RegExp.escape).join('\\s+');
  const edge = (character: string) => /[\p{L}\p{N}]/u.test(character) && !isUnspaced(character);
  const before = edge([...shown][0] ?? '') ? '(?<![\\p{L}\\p{N}])' : '';
  return `${before}${words}`;
}

const ENDINGS = /^(?:|e|s|es|ed|er|ers|ing|ings|y|ies|ied|ly|ion|ions|al|ment|ments|ness|d|r|rs|'s)$/;
const AFTER_DOUBLING = /^(?:ed|er|ers|ing|ings)$/;

/** Near enough to what the index takes for one word: the same beginning, and endings that English bends words with. */
function sameStem(a: string, b: string): boolean {
  if (a === b) return true;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared >= 3 && isEnding(a, shared) && isEnding(b, shared);
}

/** "run" and "running": a consonant may be doubled before the ending. */
function isEnding(word: string, at: number): boolean {
  if (ENDINGS.test(word.slice(at))) return true;
  return word[at] === word[at - 1] && AFTER_DOUBLING.test(word.slice(at + 1));
}

function stemLength(word: string): number {
  return Math.max(Math.min(3, word.length), word.length - 4);
}
