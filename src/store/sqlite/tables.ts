import type { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../record/index.ts';
import { leaseHeld } from '../guard-append.ts';
import type { Lease, LeaseClaim, LeaseOwner } from '../store.ts';
import { rowOf } from './append-entries.ts';
import { type BlobsTable, blobsTable } from './blobs-table.ts';
import { type EntriesTable, entriesTable } from './entries-table.ts';
import { type HotTable, hotTable } from './hot-session.ts';
import { createRowCache, type RowCache, type SessionsTable, sessionsTable } from './sessions-table.ts';
import { lazyStatement } from './writer.ts';

export interface Tables {
  readonly sessions: SessionsTable;
  readonly entries: EntriesTable;
  readonly hot: HotTable;
  readonly blobs: BlobsTable;
  readonly leases: LeasesTable;
  readonly tags: TagsTable;
  readonly purged: PurgedTable;
  readonly cache: RowCache;
}

export function openTables(db: DatabaseSync): Tables {
  return {
    sessions: sessionsTable(db),
    entries: entriesTable(db),
    hot: hotTable(db),
    blobs: blobsTable(db),
    leases: leasesTable(db),
    tags: tagsTable(db),
    purged: purgedTable(db),
    cache: createRowCache(db),
  };
}

/** Which sessions carry a tag: an index over the sessions' states. Tags are looked up in their well-formed form. */
function tagsTable(db: DatabaseSync) {
  const insert = lazyStatement(db, 'insert into tags (tag, session) values (?, ?) on conflict do nothing');
  const remove = lazyStatement(db, 'delete from tags where session = ?');
  const bySession = lazyStatement(db, 'select tag from tags where session = ? order by tag');

  return {
    replace(session: number, tags: readonly string[]): void {
      remove.run(session);
      for (const tag of tags) insert.run(tag.toWellFormed(), session);
    },
    bySession: (session: number) => bySession.all(session).map((row) => row.tag as string),
  };
}

type TagsTable = ReturnType<typeof tagsTable>;

/** The tombstones: ids of purged sessions, and when each was purged. */
function purgedTable(db: DatabaseSync) {
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

type PurgedTable = ReturnType<typeof purgedTable>;

function leasesTable(db: DatabaseSync) {
  const bySession = lazyStatement(db, 'select token, owner, expires_at from leases where session = ?');
  const put = lazyStatement(
    db,
    `insert into leases (session, token, owner, expires_at) values (?1, ?2, ?3, ?4)
     on conflict (session) do update set token = ?2, owner = ?3, expires_at = ?4`,
  );
  const remove = lazyStatement(db, 'delete from leases where session = ? and token = ?');
  const removeAny = lazyStatement(db, 'delete from leases where session = ?');

  return {
    bySession(session: number): Lease | undefined {
      const row = bySession.get(session);
      return (
        row && {
          token: row.token as string,
          owner: JSON.parse(row.owner as string) as LeaseOwner,
          expiresAt: row.expires_at as number,
        }
      );
    },
    put: (session: number, { token, owner, expiresAt }: Lease) =>
      put.run(session, token, JSON.stringify(owner), expiresAt),
    remove: (session: number, token: string) => remove.run(session, token),
    removeAny: (session: number) => removeAny.run(session),
  };
}

type LeasesTable = ReturnType<typeof leasesTable>;

export function claimLease(
  tables: Tables,
  id: SessionId,
  { claim: { token, owner, ttlMs, replaces }, now }: { claim: LeaseClaim; now: number },
): Lease {
  const { key } = rowOf(tables, id);
  const held = tables.leases.bySession(key);
  const free = !held || held.token === token || held.expiresAt <= now || held.token === replaces;
  if (!free) throw leaseHeld(id, held);
  const lease = { token, owner, expiresAt: now + ttlMs };
  tables.leases.put(key, lease);
  tables.cache.clear();
  return lease;
}
