import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ThroughlineError } from '../../errors.ts';
import type { SessionId } from '../../record/index.ts';
import { SQLITE_BUSY, toStoreError } from '../driver-error.ts';
import { encodeEntry } from '../entry-format.ts';
import { checkEntries } from '../guard-append.ts';
import type { Store, StoreFacts } from '../store.ts';
import {
  appendEntries,
  findRow,
  keptId,
  readEntries,
  readEntry,
  readNamed,
  rowOf,
} from './append-entries.ts';
import { sqliteHashOf } from './blobs-table.ts';
import { createChangeHints } from './change-hints.ts';
import { createSessionRows } from './create-session.ts';
import { currentRow, findRows, listCursor, listRows } from './hot-session.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { rebuildStore } from './rebuild-store.ts';
import { purgeSessionRows, rewriteEntries } from './rewrite-entries.ts';
import { withoutKey } from './sessions-table.ts';
import { claimLease, openTables } from './tables.ts';
import { verifyStore } from './verify-store.ts';
import { createWriter } from './writer.ts';

interface SqliteStoreParts {
  readonly facts: StoreFacts;
  readonly now: () => number;
  /** Collect concurrent writes into one commit: right when a commit waits for the disk. */
  readonly batch: boolean;
  readonly waitsForDisk: boolean;
  readonly patienceMs: number;
  /** A second connection, for sweeps that must see one state of the file however long they take. */
  readonly connectToRead: () => DatabaseSync;
}

/** The store over an open, migrated database. */
export function createSqliteStore(
  db: DatabaseSync,
  { facts, now, batch, waitsForDisk, patienceMs, connectToRead }: SqliteStoreParts,
): Store {
  const tables = openTables(db);
  const { location } = facts;
  const { check, clear, version } = tables.cache;
  const guard = createWriteGuard(db, { location, waitsForDisk, version });
  const writer = createWriter(db, { location, batch, patienceMs, check, guard, clear });
  const hints = createChangeHints(db);
  let closed = false;

  function usable(): void {
    if (closed)
      throw new ThroughlineError('store-closed', `The store ${facts.location} was closed. Open it again.`);
  }

  async function read<T>(work: () => T): Promise<T> {
    usable();
    return writer.read(work);
  }

  async function write<T>(work: () => T, session?: SessionId): Promise<T> {
    usable();
    if (facts.readOnly) {
      throw new ThroughlineError(
        'store-read-only',
        `Nothing was written to ${facts.location}: ${facts.readOnly}`,
      );
    }
    if (session === undefined) return writer.write(work);
    // Listeners compare ids, so they get the stored one.
    let changed = session;
    const result = await writer.write(() => {
      changed = keptId(tables, session);
      return work();
    });
    hints.tell(changed);
    return result;
  }

  return {
    facts,
    async create(session, entries = []) {
      const at = now();
      const encoded = entries.map((entry) => encodeEntry(entry, at));
      return write(() => createSessionRows(tables, session, { entries: encoded, now: at }), session.id);
    },
    session: (id) =>
      read(() => {
        const row = findRow(tables, id);
        return row && withoutKey(currentRow(tables, row));
      }),
    find: (text, { limit }) => read(() => findRows(tables, text, limit).map(withoutKey)),
    list: (query) =>
      read(() => {
        const limit = Math.max(query.limit, 0);
        const parent = query.parent && keptId(tables, query.parent);
        const rows = listRows(tables, { ...query, ...(parent && { parent }), limit: limit + 1 });
        const page = rows.slice(0, limit);
        const sessions = page.map(withoutKey);
        return rows.length > page.length && page.length > 0
          ? { sessions, cursor: listCursor(page.at(-1)!) }
          : { sessions };
      }),
    count: () =>
      read(() => {
        const { memory: _, ...counts } = tables.sessions.count();
        return counts;
      }),
    async append(id, entries, options = {}) {
      checkEntries(entries);
      const at = now();
      const encoded = entries.map((entry) => encodeEntry(entry, at));
      return write(() => appendEntries(tables, id, encoded, { options, now: at }), id);
    },
    read: (id, range = {}) => read(() => readEntries(tables, rowOf(tables, id), range)),
    entry: (id, entry) => read(() => readEntry(tables, rowOf(tables, id), entry)),
    entries: (named) => read(() => named.map((name) => readNamed(tables, name))),
    blob: (hash) => read(() => readBlob(hash)),
    claimLease: (id, claim) => write(() => claimLease(tables, id, { claim, now: now() })),
    lease: (id) =>
      read(() => {
        const row = findRow(tables, id);
        const held = row && tables.leases.bySession(row.key);
        return held && held.expiresAt > now() ? held : undefined;
      }),
    async releaseLease(id, token) {
      await write(() => {
        const row = findRow(tables, id);
        if (row) tables.leases.remove(row.key, token);
        tables.cache.clear();
      });
    },
    async purge(id) {
      const report = await write(() => purgeSessionRows(tables, rowOf(tables, id), now()), id);
      // Deleted rows are zeroed in the file; emptying the log leaves no older copy of the pages behind.
      await writer.outside(() => emptyLog(db));
      return report;
    },
    async rewrite(id, entries) {
      const report = await write(
        () => rewriteEntries(tables, rowOf(tables, id), { entries, now: now() }),
        id,
      );
      await writer.outside(() => emptyLog(db));
      return report;
    },
    onChange(listener) {
      usable();
      return hints.add(listener);
    },
    async probe() {
      // The version it has already: one page, written and synced like any other, and nothing differs afterwards.
      await write(() => db.exec(`pragma user_version = ${schemaVersion(db)}`));
    },
    async verify(options) {
      usable();
      try {
        using snapshot = connectToRead();
        snapshot.exec('begin');
        return await verifyStore(snapshot, openTables(snapshot), options);
      } catch (error) {
        throw toStoreError(error, facts.location);
      }
    },
    async rebuild(options) {
      await write(() => {});
      try {
        return await rebuildStore(tables, writer, options);
      } catch (error) {
        throw toStoreError(error, facts.location);
      }
    },
    async [Symbol.asyncDispose]() {
      if (closed) return;
      closed = true;
      // A last hint, so that waiting listeners look once more and finds the store closed.
      hints.tell();
      hints.stop();
      await writer.idle();
      db.close();
    },
  };

  function readBlob(hash: string): Uint8Array {
    const bytes = tables.blobs.bytes(hash);
    if (!bytes) {
      throw new ThroughlineError('blob-missing', `Blob ${hash} is not in the store ${facts.location}.`, {
        details: { hash },
      });
    }
    if (sqliteHashOf(bytes) === hash) return bytes;
    throw new ThroughlineError('blob-damaged', `Blob ${hash} in ${facts.location} is damaged.`, {
      details: { hash },
    });
  }
}

/** SQLite only tells, and does not fail, when a reader elsewhere still needs the log; trying again is the caller's. */
function emptyLog(db: DatabaseSync): void {
  const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get()!;
  if (busy !== 0)
    throw Object.assign(new Error('the write-ahead log is still being read'), { errcode: SQLITE_BUSY });
}

/** Looking at the file costs more than a commit that does not wait for the disk may pay each time. */
const LOOK_EVERY_MS = 50;

interface WriteGuardOptions {
  readonly location: string;
  /** A commit waits for the disk: then looking at the file each time costs next to nothing. */
  readonly waitsForDisk: boolean;
  /** Changes whenever another connection has committed. */
  readonly version: () => unknown;
}

/**
 * Called first in every transaction that writes. What another process does to the file may end our right to write: a
 * newer version has rearranged it, or it is no longer at its place, and what we wrote would vanish with this process.
 */
function createWriteGuard(
  db: DatabaseSync,
  { location, waitsForDisk, version }: WriteGuardOptions,
): () => void {
  const opened = placeOf(location);
  let log: string | undefined;
  let sound: unknown;
  let lookAgain = 0;

  return () => {
    if (version() !== sound) {
      refuseNewer(db, location);
      sound = version();
    }
    const now = waitsForDisk ? 0 : performance.now();
    if (now < lookAgain) return;
    // The log beside it is there once a transaction has begun, and holds the last writes.
    log ??= placeOf(`${location}-wal`);
    if (placeOf(location) !== opened || placeOf(`${location}-wal`) !== log) throw gone(location);
    if (!waitsForDisk) lookAgain = now + LOOK_EVERY_MS;
  };
}

function placeOf(location: string): string | undefined {
  const found = statSync(location, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function refuseNewer(db: DatabaseSync, location: string): void {
  const version = schemaVersion(db);
  if (version <= SCHEMA_VERSION) return;
  throw new ThroughlineError(
    'store-unwritable',
    `Nothing was written to ${location}: a newer version of Throughline has taken it over (store version ${version}, this one writes ${SCHEMA_VERSION}). Upgrade, then open it again.`,
    { details: { location } },
  );
}

function gone(location: string): ThroughlineError {
  return new ThroughlineError(
    'store-unwritable',
    `Nothing was written to ${location}: the file was deleted, moved or replaced while it was open. Put it back, or open the store again.`,
    { details: { location } },
  );
}
