import type { OperationResult } from '../../../operations/index.ts';
import type { checkStore } from '../../../operations/store/index.ts';
import { sayCount, sayNumber } from '../../../text/index.ts';
import type { StoreChoice } from '../choose-store.ts';
import { cyan, dim, green, red } from '../terminal/paint.ts';
import { sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';

type Checkup = OperationResult<typeof checkStore>;

const MOST_PROBLEMS = 20;

/** A checkup for people: the numbers first, then the problems and what to do about them. */
export function renderCheckup(checkup: Checkup, { because, exists }: StoreChoice): string[] {
  const { location, bytes, stored, listed, entries, blobs, problems, rebuilt, sound } = checkup;
  if (!exists) return [`There is no store at ${visibleLine(location)} yet (${because}). Nothing to check.`];
  return [
    `Store     ${cyan(visibleLine(location))} ${dim(`(${because})`)}`,
    `Size      ${sayBytes(bytes)}`,
    `Sessions  ${sayNumber(stored)} stored, ${sayNumber(listed)} listed`,
    ...sayPlaces(checkup.places),
    `Entries   ${sayNumber(entries)}`,
    `Blobs     ${sayNumber(blobs)}`,
    ...(rebuilt ? ['', ...sayRebuilt(rebuilt.changed)] : []),
    '',
    ...(sound ? [green('Sound: everything is there and readable.')] : sayProblems(problems)),
  ];
}

/** "sessions" lists conversations alone, and leaves out those without a message: its number is smaller. */
function sayPlaces(places: Checkup['places']): string[] {
  if (!places) return [];
  const { active, archived, trashed, memory } = places;
  const kinds = [
    sayCount(active, 'conversation'),
    ...(archived > 0 ? [`${sayNumber(archived)} hidden`] : []),
    ...(trashed > 0 ? [`${sayNumber(trashed)} in the trash`] : []),
    ...(memory > 0 ? [`${sayCount(memory, 'log')} of projects and boards`] : []),
  ];
  return [dim(`          ${kinds.join(', ')}`)];
}

function sayRebuilt(changed: readonly string[]): string[] {
  if (changed.length === 0) return ['Rebuilt: the list was right already.'];
  return [`Rebuilt: ${sayCount(changed.length, 'session')} mended.`, ...changed.map((id) => `  ${id}`)];
}

function sayProblems(problems: Checkup['problems']): string[] {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const left = problems.length - shown.length;
  const mendable = problems.every(({ code }) => code === 'projection-differs');
  return [
    red(`${sayCount(problems.length, 'problem')} found:`),
    ...shown.map(({ code, message }) => `  ${red(code)}  ${visibleLine(message)}`),
    ...(left > 0 ? [dim(`  and ${sayNumber(left)} more; --json lists all`)] : []),
    '',
    mendable
      ? 'No session is damaged. "throughline doctor --rebuild" puts the list right.'
      : '"throughline doctor --salvage" saves what can be read into a new file and leaves this one as it is.',
  ];
}
