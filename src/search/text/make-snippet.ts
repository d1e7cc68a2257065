import type { TextPlace } from './find-places.ts';
import { withSingleSpaces } from './fold-text.ts';

interface SnippetOptions {
  /** In characters. */
  readonly length: number;
  readonly mark: readonly [string, string];
}

/** The stretch of the text that shows most of the query, on one line, never cut through a character. */
export function makeSnippet(
  text: string,
  places: readonly TextPlace[],
  { length, mark }: SnippetOptions,
): string {
  const start = bestStart(places, length);
  const from = start <= length / 4 ? 0 : atWord(text, Math.max(0, start - Math.floor(length / 4)));
  const to = Math.min(text.length, from + length);
  const [first, last] = [atPoint(text, from), atPoint(text, to)];
  const [open, close] = mark;
  let snippet = '';
  let at = first;
  for (const { from, to } of joined(places.filter((place) => place.from >= first && place.to <= last))) {
    snippet += `${text.slice(at, from)}${open}${text.slice(from, to)}${close}`;
    at = to;
  }
  snippet += text.slice(at, last);
  const line = withSingleSpaces(snippet).trim();
  return `${first > 0 ? '… ' : ''}${line}${last < text.length ? ' …' : ''}`.toWellFormed();
}

/** Places that touch are one: the pairs of an unspaced word, the words in a name. */
function joined(places: readonly TextPlace[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const { from, to } of places) {
    const run = runs.at(-1);
    if (run && from <= run.to) run.to = Math.max(run.to, to);
    else runs.push({ from, to });
  }
  return runs;
}

/** Where a window of this length holds the most different parts of the query; the earliest such place. */
function bestStart(places: readonly TextPlace[], length: number): number {
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
