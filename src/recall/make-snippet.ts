import { foldInPlace } from './fold-text.ts';
import type { Query, Term } from './parse-query.ts';
import { isUnspaced } from './unspaced-script.ts';

export interface SnippetOptions {
  /** In characters. */
  readonly length: number;
  readonly mark: readonly [string, string];
}

interface Place {
  readonly from: number;
  readonly to: number;
  /** Which part of the query it is. */
  readonly part: number;
}

const MOST_PLACES = 500;

/** The stretch of the text that shows most of what was asked, on one line, never cut through a character. */
export function makeSnippet(text: string, query: Query, { length, mark }: SnippetOptions): string {
  const places = findPlaces(text, query);
  const start = bestStart(places, length);
  const from = start <= length / 4 ? 0 : atWord(text, Math.max(0, start - Math.floor(length / 4)));
  const to = Math.min(text.length, from + length);
  const [first, last] = [atPoint(text, from), atPoint(text, to)];
  const [open, close] = mark;
  let snippet = '';
  let at = first;
  for (const place of places) {
    if (place.from < at || place.to > last) continue;
    snippet += `${text.slice(at, place.from)}${open}${text.slice(place.from, place.to)}${close}`;
    at = place.to;
  }
  snippet += text.slice(at, last);
  const line = snippet.replace(/\s+/g, ' ').trim();
  return `${first > 0 ? '… ' : ''}${line}${last < text.length ? ' …' : ''}`.toWellFormed();
}

function findPlaces(text: string, { terms, literals }: Query): Place[] {
  const folded = foldInPlace(text);
  const patterns = [
    ...literals.map((literal) => ({ pattern: spaced(literal.folded), fits: undefined })),
    ...terms.map((term) => ({
      pattern: patternOf(term),
      fits: term.kind === 'word' ? term.shown : undefined,
    })),
  ];
  const places: Place[] = [];
  for (const [part, { pattern, fits }] of patterns.entries()) {
    let left = MOST_PLACES;
    for (const match of folded.matchAll(new RegExp(pattern, 'gu'))) {
      if (fits !== undefined && !sameStem(match[0], fits)) continue;
      places.push({ from: match.index, to: match.index + match[0].length, part });
      if (--left === 0) break;
    }
  }
  return places.filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from || b.to - a.to);
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

/** Near enough to what the index takes for one word: the same beginning, and endings that English bends words with. */
function sameStem(a: string, b: string): boolean {
  if (a === b) return true;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared >= 3 && ENDINGS.test(a.slice(shared)) && ENDINGS.test(b.slice(shared));
}

function stemLength(word: string): number {
  return Math.max(Math.min(3, word.length), word.length - 4);
}

/** Where a window of this length holds the most different parts of the query; the earliest such place. */
function bestStart(places: readonly Place[], length: number): number {
  let best = { parts: 0, start: 0 };
  for (let i = 0; i < places.length; i++) {
    const parts = new Set<number>();
    for (let j = i; j < places.length && places[j]!.to <= places[i]!.from + length; j++)
      parts.add(places[j]!.part);
    if (parts.size > best.parts) best = { parts: parts.size, start: places[i]!.from };
  }
  return best.start;
}

/** Forward to the next word, if there is one near. */
function atWord(text: string, at: number): number {
  const space = /\s/.exec(text.slice(at, at + 30));
  return space ? at + space.index + 1 : at;
}

function atPoint(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
}
