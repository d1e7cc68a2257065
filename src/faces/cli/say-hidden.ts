import type { App } from '../../operations/index.ts';
import type { Place } from '../../record/index.ts';
import { sayCount, sayNumber } from '../../text/index.ts';
import { countPlaces, countSessions, type SessionFilter } from './page-through.ts';
import { visibleLine } from './terminal/visible-text.ts';

/** Says which sessions a list does not show, and how to see them: none is left out without a word. */
export async function sayHidden(
  app: App,
  filter: SessionFilter,
  { shown, cursor }: { shown: number; cursor: string | undefined },
): Promise<string[]> {
  const { place } = filter;
  const counts = await countPlaces(app);
  const matching = await countSessions(app, filter);
  const filters = sayFilters(filter);
  const others = counts[place] - matching;
  const isWhole = filter.spoken && !filters && cursor === undefined && filter.cursor === undefined;
  const silent = isWhole ? matching - shown : 0;
  return [
    ...(shown === 0 ? [nothing(place, { filters, any: counts[place] > 0, cursor: filter.cursor })] : []),
    ...(cursor
      ? [`${sayNumber(shown)} of ${sayNumber(matching)} shown. More: --cursor ${cursor}, or --all.`]
      : []),
    ...(filters && others > 0
      ? [`Only ${filters}: ${sayCount(others, 'other')} ${are(others)} not shown.`]
      : []),
    ...(silent > 0 ? [`Nothing was said in ${sayCount(silent, 'more session')} (--all).`] : []),
    ...otherPlaces(place, counts),
  ];
}

function nothing(
  place: Place,
  { filters, any, cursor }: { filters: string; any: boolean; cursor: string | undefined },
): string {
  if (cursor) return 'No more sessions.';
  if (any && filters) return `No session fits ${filters}.`;
  return { active: 'No sessions yet.', archived: 'No session is hidden.', trashed: 'The trash is empty.' }[
    place
  ];
}

function sayFilters({ project, tag, agent, find }: SessionFilter): string {
  const given = Object.entries({ project, tag, agent, 'title or tag': find }).filter(
    ([, value]) => value !== undefined,
  );
  return given.map(([name, value]) => `${name} "${visibleLine(value!)}"`).join(' and ');
}

const PLACES: Readonly<Record<Place, { words: string; option: string }>> = {
  active: { words: 'active', option: 'without a place' },
  archived: { words: 'hidden', option: '--hidden' },
  trashed: { words: 'in the trash', option: '--trashed' },
};

function otherPlaces(place: Place, counts: Readonly<Record<Place, number>>): string[] {
  const others = (Object.keys(PLACES) as Place[]).filter((other) => other !== place && counts[other] > 0);
  if (others.length === 0) return [];
  const words = others.map((other) => `${sayNumber(counts[other])} ${PLACES[other].words}`).join(' and ');
  const options = others.filter((other) => other !== 'active').map((other) => PLACES[other].option);
  const total = others.reduce((sum, other) => sum + counts[other], 0);
  return [`${words} ${are(total)} not shown${options.length > 0 ? ` (${options.join(', ')})` : ''}.`];
}

const are = (count: number) => (count === 1 ? 'is' : 'are');
