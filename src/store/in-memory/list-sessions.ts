import { ThroughlineError } from '../../errors.ts';
import { isUuid, isUuidStart, type StoredPlace, storedPlaceOf, titleOf } from '../../record/index.ts';
import { matchName } from '../match-name.ts';
import type { SessionPage, SessionQuery } from '../store.ts';
import { infoOf, type MemorySessionRow, type MemoryTables } from './tables.ts';

export function listSessionsInMemory({ sessions }: MemoryTables, query: SessionQuery): SessionPage {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const rows = [...sessions.values()]
    .filter((row) => matches(row, query) && (!after || newestFirst(row, after) > 0))
    .sort(newestFirst);
  const page = rows.slice(0, Math.max(query.limit, 0));
  const last = page.at(-1);
  return {
    sessions: page.map(infoOf),
    ...(last && rows.length > page.length && { cursor: `${last.tally.updatedAt}.${last.order}` }),
  };
}

export function findSessions({ sessions }: MemoryTables, text: string, limit: number): MemorySessionRow[] {
  const name = matchName(text);
  const inUuids = isUuidStart(text);
  return [...sessions.values()]
    .filter(
      ({ id, tally }) =>
        id.startsWith(text) ||
        (inUuids && isUuid(id) && id.startsWith(text.toLowerCase())) ||
        (name !== '' && matchName(titleOf(tally.state)) === name),
    )
    .sort(newestFirst)
    .slice(0, Math.max(limit, 0));
}

export function countSessionsInMemory({ sessions }: MemoryTables): Record<StoredPlace, number> {
  const counts = { active: 0, archived: 0, trashed: 0, memory: 0 };
  for (const { tally } of sessions.values()) counts[storedPlaceOf(tally.state)]++;
  return counts;
}

function matches({ parent, tally: { state } }: MemorySessionRow, query: SessionQuery): boolean {
  const place = query.place ?? (query.parent === undefined ? 'active' : undefined);
  return (
    (place === undefined || storedPlaceOf(state) === place) &&
    (query.parent === undefined || parent?.session === query.parent) &&
    (query.project === undefined || state.settings.project === query.project) &&
    (query.agent === undefined || state.settings.agent === query.agent) &&
    (query.tag === undefined || state.tags.includes(query.tag))
  );
}

interface Position {
  readonly tally: { readonly updatedAt: number };
  readonly order: number;
}

/** Two sessions may have moved in one millisecond; the order of creation decides, so that no page skips one. */
function newestFirst(a: Position, b: Position): number {
  return b.tally.updatedAt - a.tally.updatedAt || b.order - a.order;
}

/** A cursor is the place where a page ended, not a count, so pages stay right while sessions come and move. */
function readCursor(cursor: string): Position {
  const [, updatedAt, order] = /^(\d+)\.(\d+)$/.exec(cursor) ?? [];
  if (order === undefined)
    throw new ThroughlineError('usage', `"${cursor}" is not a cursor from a list. Start again without one.`);
  return { tally: { updatedAt: Number(updatedAt) }, order: Number(order) };
}
