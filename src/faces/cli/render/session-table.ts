import path from 'node:path';
import type { SessionRecord } from '../../../operations/index.ts';
import { sayNumber, sayTitle } from '../../../text/index.ts';
import { layOutTable, type TableColumn } from '../terminal/lay-out-table.ts';
import { bold, cyan, dim } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

type ListedSession = Readonly<
  Pick<SessionRecord, 'id' | 'title' | 'project' | 'messages' | 'updatedAt' | 'place' | 'relation'>
> & { readonly tags: readonly string[] };

/** One line of a list: a session, and for trees the branch it hangs on. */
export interface SessionLine {
  readonly session: ListedSession;
  readonly branch?: string;
  readonly from?: string;
}

/** Sessions as lines for people. `numbered` shows the numbers that the next command understands. */
export function renderSessionTable(
  lines: readonly SessionLine[],
  { numbered, width = screenWidth() }: { numbered: boolean; width?: number },
): string[] {
  const projects = width >= ROOM_FOR_PROJECT && lines.some(({ session }) => session.project !== null);
  const origins = lines.some(({ from }) => from);
  // Where a list shows one place, the reader asked for it; a tree may hold all of them.
  const mixed = new Set(lines.map(({ session }) => session.place)).size > 1;
  const columns: (TableColumn & { of: (line: SessionLine, index: number) => string })[] = [
    { title: '#', align: 'right', paint: bold, of: (_, index) => String(index + 1) },
    {
      title: 'Session',
      shrinkTo: [24, 12],
      paint: cyan,
      of: ({ session, branch = '' }) => branch + session.id,
    },
    { title: 'From', paint: dim, of: ({ from = '' }) => from },
    { title: 'Updated', paint: dim, of: ({ session }) => sayAge(session.updatedAt) },
    { title: 'Messages', align: 'right', of: ({ session }) => sayNumber(session.messages) },
    { title: 'Project', shrinkTo: [16, 10], paint: dim, of: ({ session }) => projectOf(session) },
    { title: 'Title', shrinkTo: [40, 10], of: ({ session }) => titleCell(session, { mixed }) },
  ];
  const counted = !origins && width >= ROOM_FOR_COUNT;
  const hidden = [
    !numbered && '#',
    !origins && 'From',
    width < ROOM_FOR_AGE && 'Updated',
    !counted && 'Messages',
    !projects && 'Project',
  ];
  const shown = columns.filter(({ title }) => !hidden.includes(title));
  const rows = lines.map((line, index) => shown.map(({ of }) => of(line, index)));
  return layOutTable(shown, rows, { width, paintTitle: dim });
}

const ROOM_FOR_PROJECT = 100;
const ROOM_FOR_COUNT = 60;
const ROOM_FOR_AGE = 44;

function projectOf({ project }: ListedSession): string {
  // The end of a path tells projects apart.
  return project === null ? '' : visibleLine(path.basename(project));
}

function titleCell(session: ListedSession, { mixed }: { mixed: boolean }): string {
  const title = visibleLine(sayTitle(session.title));
  const tags = session.tags.map((tag) => `[${visibleLine(tag)}]`);
  const place = { active: [], archived: ['(hidden)'], trashed: ['(in the trash)'] }[session.place];
  const fork = session.relation === 'fork' ? ['(fork)'] : [];
  return [...(mixed ? place : []), title, ...fork, ...tags].join(' ');
}
