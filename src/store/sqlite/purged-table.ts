import type { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../record/index.ts';
import { lazyStatement } from './lazy-statement.ts';

/** The tombstones: ids of purged sessions, and when each was purged. */
export function purgedTable(db: DatabaseSync) {
  const table = lazyStatement(db, "select 1 from sqlite_schema where name = 'purged'");
  const byId = lazyStatement(db, 'select at from purged where id = ?');
  const insert = lazyStatement(db, 'insert into purged (id, at) values (?, ?) on conflict (id) do nothing');
  const idFrom = lazyStatement(db, 'select id from purged where id >= ? order by id limit 1');
  const idUpTo = lazyStatement(db, 'select id from purged where id <= ? order by id desc limit 1');
  const all = lazyStatement(db, 'select id, at from purged order by key');
  let made = false;

  /** A store of version 1 has no such table as long as it is only read. */
  function isThere(): boolean {
    made ||= table.get() !== undefined;
    return made;
  }

  return {
    at: (id: SessionId) => (isThere() ? (byId.get(id)?.at as number | undefined) : undefined),
    add: (id: SessionId, at: number) => insert.run(id, at),
    idFrom: (text: string) => (isThere() ? (idFrom.get(text)?.id as SessionId | undefined) : undefined),
    idUpTo: (text: string) => idUpTo.get(text)?.id as SessionId | undefined,
    all: () => (isThere() ? all.all().map((row) => ({ id: row.id as SessionId, at: row.at as number })) : []),
  };
}

export type PurgedTable = ReturnType<typeof purgedTable>;
