import type {
  DescribedChange,
  DescribedComparison,
  DescribedConflict,
  DescribedSide,
  Source,
} from '../../../branches/index.ts';
import { sayNumber } from '../../../text/index.ts';
import { bold, dim, green, red, yellow } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { LIST_TITLES, titleOfList } from './list-titles.ts';

/** What two branches say differently, list by list, each line with whose it is and where it was said. */
export function renderDifference(difference: DescribedComparison): string[] {
  const { ours, theirs, changes, conflicts, files } = difference;
  const name = nameSides(difference);
  const lists = LIST_TITLES.flatMap(([title, list]) => {
    const lines = changes.filter((change) => change.list === list);
    return lines.length === 0
      ? []
      : ['', bold(title), ...lines.map((line) => `  ${name(line.side)}  ${renderChange(line)}`)];
  });
  const touched = files.map(
    ({ side, path, operations, sources }) =>
      `  ${name(side)}  ${visibleLine(path)} (${operations.map(visibleLine).join(', ')})${sayWhere(sources)}`,
  );
  const nothing = lists.length + touched.length === 0 ? ['', 'Both say the same.'] : [];
  return [
    `${sayBranch(ours)} and ${sayBranch(theirs)}`,
    dim(saySince(difference)),
    ...lists,
    ...(touched.length > 0 ? ['', bold('Files'), ...touched] : []),
    ...nothing,
    ...conflicts.flatMap((conflict) => ['', ...renderConflict(conflict, difference)]),
  ];
}

const SIGNS = { added: green('+'), removed: red('-'), reworded: yellow('~') } as const;

export function renderChange({ change, text, was, closedBy, sources }: DescribedChange): string {
  const done = closedBy === text ? 'done' : closedBy && `done: ${visibleLine(closedBy)}`;
  const why = was === undefined ? done : `was: ${visibleLine(was)}`;
  const before = why ? ` (${why})` : '';
  return `${SIGNS[change]} ${visibleLine(text)}${before}${sayWhere(sources)}`;
}

const ABOUT: Readonly<Record<DescribedConflict['about'], string>> = {
  wording: 'both say it in their own words',
  removal: 'one took away what the other changed',
  choice: 'both speak of one thing and say different things of it',
  done: 'finished here, open there',
};

/** A conflict with both sides and where each was said. */
export function renderConflict(
  { number, list, about, base, ours, theirs }: DescribedConflict,
  difference: Pick<DescribedComparison, 'ours' | 'theirs'>,
): string[] {
  const name = nameSides(difference);
  return [
    yellow(`Conflict ${number}, ${titleOfList(list)}: ${ABOUT[about]}`),
    ...(base === null ? [] : [dim(`  ${name('before')}  ${visibleLine(base)}`)]),
    `  ${name('ours')}  ${renderSide(ours, list)}`,
    `  ${name('theirs')}  ${renderSide(theirs, list)}`,
  ];
}

function renderSide(
  { list, text, closedBy, sources }: DescribedSide,
  about: DescribedConflict['list'],
): string {
  const why = closedBy === undefined ? '' : `, done: ${visibleLine(closedBy)}`;
  const line = text === null ? dim(`(gone${why})`) : visibleLine(text);
  return `${list === about ? '' : `${titleOfList(list)}: `}${line}${sayWhere(sources)}`;
}

type Names = 'ours' | 'theirs' | 'both' | 'before';

/** Whose a line is, in cells of one width. */
function nameSides({ ours, theirs }: Pick<DescribedComparison, 'ours' | 'theirs'>): (side: Names) => string {
  const names: Readonly<Record<Names, string>> = {
    ours: ours.id,
    theirs: theirs.id,
    both: 'both',
    before: 'before',
  };
  const width = Math.max(...Object.values(names).map(({ length }) => length));
  return (side) => names[side].padEnd(width);
}

export function sayBranch({ id, title }: DescribedComparison['ours']): string {
  return title ? `${id} (${visibleLine(title)})` : id;
}

export function saySince({ since: { session, seq, by } }: Pick<DescribedComparison, 'since'>): string {
  const merged = by === 'merge' ? ', which was merged already' : '';
  return `since entry ${sayNumber(seq)} of ${session}${merged}`;
}

function sayWhere(sources: readonly Source[]): string {
  const places = sources.map(({ session, seq, entry }) =>
    session === undefined ? `entry ${entry}, which is gone` : `${session} ${seq}`,
  );
  return places.length === 0 ? '' : dim(`  [${places.join(', ')}]`);
}
