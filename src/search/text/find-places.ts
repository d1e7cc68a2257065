import type { Query, Term } from '../words/parse-query.ts';
import { foldInPlace } from './fold-in-place.ts';
import { isName, isUnspaced, namePartEnd } from './index-text.ts';

/** A part of a query in a text. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
  /** Which part of the query it is. */
  readonly part: number;
}

/**
 * In order; longer ones first where several begin. Of a query of one part, only those that fit together with the first
 * into a stretch of this length.
 */
export type FindPlaces = (text: string, stretch: number) => TextPlace[];

const MOST_PLACES = 500;

/** Finds in a text what the index took for a match, quoted parts first; made once per query, because patterns are costly to make. */
export function placesOf({ terms, literals }: Query): FindPlaces {
  const parts = [...literals.map(({ folded }) => quoted(folded)), ...terms.map(shapeOf)].map(
    ({ before = '', words, between, after = '', stem, inNames }) => ({
      head: words[0] ?? '',
      pattern: new RegExp(`${before}${words.map(RegExp.escape).join(between)}${after}`, 'uy'),
      isForm: (found: string) => stem === undefined || sameStem(found, stem),
      inNames,
    }),
  );
  return (text, stretch) => {
    const { text: folded, startOf, endOf } = foldInPlace(text);
    const places: TextPlace[] = [];
    for (const [part, { head, pattern, isForm, inNames }] of parts.entries()) {
      if (head === '') continue;
      let left = MOST_PLACES;
      let end = folded.length;
      // Looking for letters as they stand is many times faster than a pattern, which is only asked where they do.
      for (let at = folded.indexOf(head); at >= 0 && at <= end && left > 0; ) {
        pattern.lastIndex = at;
        const found = pattern.exec(folded)?.[0] ?? '';
        const fits = found !== '' && isForm(found);
        const from = startOf(at);
        const to = fits ? endOf(at + found.length) : inNames && inName(text, from, { head, isForm });
        if (to) {
          if (parts.length === 1 && places.length === 0) end = at + stretch;
          places.push({ from, to, part });
          left--;
        }
        // A word that is no form of it may be a name that has one further on.
        const isOver = fits || !inNames || !isName(text.slice(from, endOf(at + found.length)));
        at = folded.indexOf(head, at + (isOver ? found.length || 1 : 1));
      }
    }
    return places.sort((a, b) => a.from - b.from || b.to - a.to);
  };
}

/** Where a form of the word ends that is one of the words in a name and begins here. */
function inName(
  text: string,
  from: number,
  { head, isForm }: { head: string; isForm: (found: string) => boolean },
): number | undefined {
  const to = namePartEnd(text, from);
  if (to === undefined) return undefined;
  const word = text.slice(from, to).toLowerCase();
  return word.startsWith(head) && isForm(word) ? to : undefined;
}

/** How a part of a query looks in a text. */
interface Shape {
  /** What may stand before it, as a pattern. */
  readonly before?: string;
  readonly words: readonly string[];
  readonly between: string;
  readonly after?: string;
  /** The hit has to be a form of this word. */
  readonly stem?: string;
  /** It may be one of the words in a name. */
  readonly inNames?: boolean;
}

const NOT_IN_A_WORD = '(?<![\\p{L}\\p{N}])';
const WORD_ENDS = '(?![\\p{L}\\p{N}])';
const NO_LETTERS = '[^\\p{L}\\p{N}]+';
const REST_OF_WORD = '[\\p{L}\\p{N}\\p{M}]*';

function shapeOf({ kind, shown }: Term): Shape {
  switch (kind) {
    case 'pair':
      return spaced(shown);
    case 'prefix':
      return {
        before: NOT_IN_A_WORD,
        words: shown.split(' '),
        between: NO_LETTERS,
        after: REST_OF_WORD,
        inNames: !shown.includes(' '),
      };
    case 'word': {
      if (!/^[\p{L}\p{N}\p{M}]+$/u.test(shown)) return { ...spaced(shown), stem: shown };
      const beginning = shown.slice(0, stemLength(shown));
      return {
        before: NOT_IN_A_WORD,
        words: [beginning],
        between: '',
        after: REST_OF_WORD,
        stem: shown,
        inNames: true,
      };
    }
    case 'phrase':
      return { words: shown.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean), between: NO_LETTERS };
  }
}

/** As it stands, whatever white space there is in it; not at the end of a longer word. */
function spaced(shown: string): Shape {
  const before = hasEdge([...shown][0]) ? NOT_IN_A_WORD : '';
  return { before, words: shown.split(' '), between: '\\s+' };
}

/** Nor at the beginning of one. */
function quoted(folded: string): Shape {
  return { ...spaced(folded), after: hasEdge([...folded].at(-1)) ? WORD_ENDS : '' };
}

function hasEdge(character = ''): boolean {
  return /[\p{L}\p{N}]/u.test(character) && !isUnspaced(character);
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
