import type { DatabaseSync } from 'node:sqlite';
import { ThroughlineError } from '../../errors.ts';
import { isUuid, isUuidStart } from '../../record/index.ts';
import type { SessionQuery } from '../store.ts';
import { otherSpellings } from './other-spellings.ts';
import type { ListPlace, SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';
import { lazyStatement } from './writer.ts';

// The numbers in a session's row follow from its last entry. Writing them with every append would cost more pages than
// the entry itself, so the session that was written to last, the hot one, may have an old row: its numbers are read off
// its log. When another session is written to, the row of the one before is brought up to date. One key, in the file,
// names the hot session, so every process agrees on it.

export function hotTable(db: DatabaseSync) {
  const get = lazyStatement(db, 'select session from hot');
  const clear = lazyStatement(db, 'delete from hot');
  const put = lazyStatement(db, 'insert into hot (session) values (?)');
  return {
    key: () => get.get()?.session as number | undefined,
    set(key: number | undefined): void {
      clear.run();
      if (key !== undefined) put.run(key);
    },
  };
}

export type HotTable = ReturnType<typeof hotTable>;

/** The row as it is now, whatever the file says about the hot session. */
export function currentRow(tables: Tables, row: SessionRow): SessionRow {
  return row.key === tables.hot.key() ? { ...row, ...tables.entries.sumsAtEnd(row.key) } : row;
}

/** From now on `key` may have an old row, and the session that was hot has a true one. */
export function makeHot(tables: Tables, key: number): void {
  const before = tables.hot.key();
  if (before === key) return;
  const sums = before === undefined ? undefined : tables.entries.sumsAtEnd(before);
  if (sums) tables.sessions.setSums(before!, sums);
  tables.hot.set(key);
}

/** A page of the list, with the hot session where it belongs now. */
export function listRows(tables: Tables, query: SessionQuery): SessionRow[] {
  const without = tables.hot.key() ?? -1;
  const before = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const rows = tables.sessions.list(query, { before, without });
  const stored = tables.sessions.matching(query, without);
  const hot = stored && currentRow(tables, stored);
  if (!hot || (before && newestFirst(before, hot) >= 0)) return rows;
  return [...rows, hot].sort(newestFirst).slice(0, query.limit);
}

/** The newest sessions that `text` may mean, with the hot one where it belongs now. */
export function findRows(tables: Tables, text: string, limit: number): SessionRow[] {
  const first = tables.hot.key() ?? -1;
  const options = { limit: limit + 1, first };
  const rows = tables.sessions.find(text, options);
  const others = isUuidStart(text) ? otherSpellings(tables.sessions, text) : [];
  for (const start of others)
    rows.push(...tables.sessions.findUuids(start, options).filter(({ id }) => isUuid(id)));
  return [...new Map(rows.map((row) => [row.key, row])).values()]
    .map((row) => currentRow(tables, row))
    .sort(newestFirst)
    .slice(0, Math.max(limit, 0));
}

/** The cursor is the place in the list where the page ended, so pages stay right while sessions are added. */
export function listCursor({ updatedAt, key }: ListPlace): string {
  return `${updatedAt}.${key}`;
}

function parseCursor(cursor: string): ListPlace {
  const [, updatedAt, key] = /^(\d+)\.(\d+)$/.exec(cursor) ?? [];
  if (key === undefined)
    throw new ThroughlineError('usage', `"${cursor}" is not a cursor from a list. Start again without one.`);
  return { updatedAt: Number(updatedAt), key: Number(key) };
}

/** Of two at the same millisecond, the one created later comes first. */
function newestFirst(a: ListPlace, b: ListPlace): number {
  return b.updatedAt - a.updatedAt || b.key - a.key;
}
