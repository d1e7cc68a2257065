import { ThroughlineError } from '../../errors.ts';
import { canonicalSessionId, type NewEntry, type SessionId } from '../../record/index.ts';
import { encodeEntry } from '../entry-format.ts';
import { entryGone } from '../entry-gone.ts';
import { checkEntries, leaseHeld } from '../guard-append.ts';
import type { Lease, LeaseClaim, PurgeReport, RewrittenEntry, Store } from '../store.ts';
import { appendEntriesInMemory } from './append-entries.ts';
import { readBlob, releaseBlobs, useBlob } from './blobs.ts';
import { createSessionInMemory } from './create-session.ts';
import { countSessionsInMemory, findSessions, listSessionsInMemory } from './list-sessions.ts';
import { readEntryInMemory, readMemoryEntries, sharedUpTo } from './read-entries.ts';
import { sweepSession } from './sweep.ts';
import {
  findSessionInMemory,
  infoOf,
  type MemorySessionRow,
  type MemoryTables,
  openTablesInMemory,
  rowOfInMemory,
} from './tables.ts';
import { rebuildStoreInMemory, verifyStoreInMemory } from './verify-store.ts';

/**
 * Sessions for as long as the process lives: for tests, and for hosts that keep nothing. Every method runs to its end
 * without giving way, which is what makes it one atomic step here.
 */
export function createMemoryStore({ now = Date.now }: { now?: () => number } = {}): Store {
  const tables = openTablesInMemory();
  const hints = createChangeHintsInMemory();
  let closed = false;

  /** Everything behind the door. Throws once the store is closed. */
  function open() {
    if (!closed) return tables;
    throw new ThroughlineError('store-closed', 'The store is closed. Open it again to go on.');
  }

  const encode = (entries: readonly NewEntry[], at: number) => entries.map((entry) => encodeEntry(entry, at));

  return {
    facts: { backend: 'memory', location: 'memory', sharedAcrossProcesses: false },

    async create(session, entries = []) {
      open();
      const at = now();
      const row = createSessionInMemory(tables, session, { entries: encode(entries, at), now: at });
      hints.tell(row.id);
      return infoOf(row);
    },
    async session(id) {
      const row = findSessionInMemory(open(), id);
      return row && infoOf(row);
    },
    find: async (text, { limit }) => findSessions(open(), text, limit).map(infoOf),
    async list(query) {
      open();
      const parent =
        query.parent && (findSessionInMemory(tables, query.parent)?.id ?? canonicalSessionId(query.parent));
      return listSessionsInMemory(tables, { ...query, ...(parent && { parent }) });
    },
    async count() {
      const { memory: _, ...counts } = countSessionsInMemory(open());
      return counts;
    },

    async append(id, entries, options = {}) {
      checkEntries(entries);
      const session = rowOfInMemory(open(), id);
      const at = now();
      const { head } = session.tally;
      const appended = appendEntriesInMemory(tables, session, encode(entries, at), { options, now: at });
      if (session.tally.head > head) hints.tell(session.id);
      return appended;
    },
    read: async (id, range = {}) => readMemoryEntries(tables, rowOfInMemory(open(), id), range),
    entry: async (id, entry) => readEntryInMemory(tables, rowOfInMemory(open(), id), entry),
    async entries(named) {
      open();
      return named.map(({ session, entry }) => {
        const row = findSessionInMemory(tables, session);
        return row && readEntryInMemory(tables, row, entry);
      });
    },
    blob: async (hash) => readBlob(open(), hash),

    claimLease: async (id, claim) => claimLeaseInMemory(rowOfInMemory(open(), id), claim, now()),
    async lease(id) {
      const held = findSessionInMemory(open(), id)?.lease;
      return held && held.expiresAt > now() ? structuredClone(held) : undefined;
    },
    async releaseLease(id, token) {
      const session = findSessionInMemory(open(), id);
      if (session?.lease?.token === token) session.lease = undefined;
    },

    async purge(id) {
      const session = rowOfInMemory(open(), id);
      const report = purgeSessionInMemory(tables, session, now());
      hints.tell(session.id);
      return report;
    },
    async rewrite(id, entries) {
      const session = rowOfInMemory(open(), id);
      const report = rewriteEntriesInMemory(tables, session, { entries, now: now() });
      hints.tell(session.id);
      return report;
    },
    onChange(listener) {
      open();
      return hints.add(listener);
    },
    async probe() {
      open();
    },
    verify: async (options) => verifyStoreInMemory(open(), options),
    rebuild: async (options) => rebuildStoreInMemory(open(), options),

    async [Symbol.asyncDispose]() {
      closed = true;
      hints.stop();
      tables.sessions.clear();
      tables.blobs.clear();
    },
  };
}

type Listener = (session?: SessionId) => void;

interface ChangeHints {
  tell(session?: SessionId): void;
  add(listener: Listener): () => void;
  stop(): void;
}

/** Listeners are called after the writer has its answer, so a slow or failing one never stands in a write's way. */
function createChangeHintsInMemory(): ChangeHints {
  const listeners = new Map<symbol, Listener>();
  return {
    tell(session) {
      for (const [key, listener] of listeners) {
        queueMicrotask(() => listeners.has(key) && call(listener, session));
      }
    },
    add(listener) {
      const key = Symbol('listener');
      listeners.set(key, listener);
      return () => listeners.delete(key);
    },
    // One last hint: a caller that waits for a change finds the store closed instead of waiting for ever.
    stop() {
      for (const listener of listeners.values()) queueMicrotask(() => call(listener));
      listeners.clear();
    },
  };
}

function call(listener: Listener, session?: SessionId): void {
  try {
    listener(session);
  } catch {
    // A hint has no caller to tell. Letting it escape would end the process in the middle of another turn.
  }
}

function claimLeaseInMemory(session: MemorySessionRow, claim: LeaseClaim, now: number): Lease {
  const { token, owner, ttlMs, replaces } = claim;
  const held = session.lease;
  const free = !held || held.token === token || held.expiresAt <= now || held.token === replaces;
  if (!free) throw leaseHeld(session.id, held);
  session.lease = { token, owner: { ...owner }, expiresAt: now + ttlMs };
  return structuredClone(session.lease);
}

function purgeSessionInMemory(tables: MemoryTables, session: MemorySessionRow, now: number): PurgeReport {
  const { id, entries, lease } = session;
  const forks = [...tables.sessions.values()]
    .filter(({ parent }) => parent?.relation === 'fork' && parent.session === id)
    .map((fork) => fork.id);
  if (forks.length > 0) {
    throw new ThroughlineError(
      'session-has-forks',
      `Session "${id}" cannot be purged: its entries are shared by ${forks.join(', ')}. Purge what was forked from it first.`,
      { details: { session: id, forks } },
    );
  }
  if (lease && lease.expiresAt > now) throw leaseHeld(id, lease);
  tables.sessions.delete(id);
  tables.purged.set(id, now);
  const freed = releaseBlobs(tables, session);
  const text = entries.map(({ json }) => Buffer.byteLength(json));
  return {
    entries: entries.length,
    blobs: freed.length,
    bytes: [...text, ...freed].reduce((sum, size) => sum + size, 0),
  };
}

function rewriteEntriesInMemory(
  tables: MemoryTables,
  session: MemorySessionRow,
  { entries, now }: { entries: readonly RewrittenEntry[]; now: number },
): PurgeReport {
  const { id: name, lease, byId } = session;
  if (lease && lease.expiresAt > now) throw leaseHeld(name, lease);
  // Everything that can fail comes before the first write.
  const written = entries.map(({ id, body }) => {
    const row = byId.get(id);
    if (!row) throw entryGone(name, id);
    return { row, encoded: encodeEntry({ id, at: row.at, body }, now) };
  });
  const freed: number[] = [];
  let bytes = 0;
  for (const { row, encoded } of written) {
    const { tokens, kind, version, json, crc, blobs } = encoded;
    const now = { ...row, tokens, kind, version, json, crc, blobs: blobs.map(({ hash }) => hash) };
    for (const blob of blobs) useBlob(tables, blob);
    freed.push(...releaseBlobs(tables, { ...session, entries: [row] }));
    session.entries[row.seq - sharedUpTo(session) - 1] = now;
    byId.set(row.id, now);
    bytes += json.length;
  }
  foldAgain(tables, session);
  return {
    entries: written.length,
    blobs: freed.length,
    bytes: freed.reduce((sum, size) => sum + size, bytes),
  };
}

/** Derives what stands beside a log again, and then that of its forks. */
function foldAgain(tables: MemoryTables, session: MemorySessionRow): void {
  const { tally, totals } = sweepSession(tables, session);
  session.tally = tally;
  for (const [index, row] of session.entries.entries()) row.totals = totals[index]!;
  for (const fork of tables.sessions.values())
    if (fork.parent?.relation === 'fork' && fork.parent.session === session.id) foldAgain(tables, fork);
}
