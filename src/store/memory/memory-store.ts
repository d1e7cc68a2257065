import { ThroughlineError } from '../../errors.ts';
import { canonicalSessionId, type NewEntry, type SessionId } from '../../record/index.ts';
import { encodeEntry } from '../entry-format.ts';
import { checkEntries } from '../guard-append.ts';
import type { Store } from '../store.ts';
import { appendEntries } from './append-entries.ts';
import { readBlob } from './blobs.ts';
import { claimLease } from './claim-lease.ts';
import { createSession } from './create-session.ts';
import { countSessions, findSessions, listSessions } from './list-sessions.ts';
import { purgeSession } from './purge-session.ts';
import { readEntries, readEntry } from './read-entries.ts';
import { rewriteEntries } from './rewrite-entries.ts';
import { findSession, infoOf, openTables, rowOf } from './tables.ts';
import { rebuildStore, verifyStore } from './verify-store.ts';

/**
 * Sessions for as long as the process lives: for tests, and for hosts that keep nothing. Every method runs to its end
 * without giving way, which is what makes it one atomic step here.
 */
export function createMemoryStore({ now = Date.now }: { now?: () => number } = {}): Store {
  const tables = openTables();
  const hints = createChangeHints();
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
      const row = createSession(tables, session, { entries: encode(entries, at), now: at });
      hints.tell(row.id);
      return infoOf(row);
    },
    async session(id) {
      const row = findSession(open(), id);
      return row && infoOf(row);
    },
    find: async (text, { limit }) => findSessions(open(), text, limit).map(infoOf),
    async list(query) {
      open();
      const parent =
        query.parent && (findSession(tables, query.parent)?.id ?? canonicalSessionId(query.parent));
      return listSessions(tables, { ...query, ...(parent && { parent }) });
    },
    async count() {
      const { memory: _, ...counts } = countSessions(open());
      return counts;
    },

    async append(id, entries, options = {}) {
      checkEntries(entries);
      const session = rowOf(open(), id);
      const at = now();
      const { head } = session.tally;
      const appended = appendEntries(tables, session, encode(entries, at), { options, now: at });
      if (session.tally.head > head) hints.tell(session.id);
      return appended;
    },
    read: async (id, range = {}) => readEntries(tables, rowOf(open(), id), range),
    entry: async (id, entry) => readEntry(tables, rowOf(open(), id), entry),
    async entries(named) {
      open();
      return named.map(({ session, entry }) => {
        const row = findSession(tables, session);
        return row && readEntry(tables, row, entry);
      });
    },
    blob: async (hash) => readBlob(open(), hash),

    claimLease: async (id, claim) => claimLease(rowOf(open(), id), claim, now()),
    async lease(id) {
      const held = findSession(open(), id)?.lease;
      return held && held.expiresAt > now() ? structuredClone(held) : undefined;
    },
    async releaseLease(id, token) {
      const session = findSession(open(), id);
      if (session?.lease?.token === token) session.lease = undefined;
    },

    async purge(id) {
      const session = rowOf(open(), id);
      const report = purgeSession(tables, session, now());
      hints.tell(session.id);
      return report;
    },
    async rewrite(id, entries) {
      const session = rowOf(open(), id);
      const report = rewriteEntries(tables, session, { entries, now: now() });
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
    verify: async (options) => verifyStore(open(), options),
    rebuild: async (options) => rebuildStore(open(), options),

    async [Symbol.asyncDispose]() {
      closed = true;
      hints.stop();
      tables.sessions.clear();
      tables.blobs.clear();
    },
  };
}

type Listener = (session?: SessionId) => void;

export interface ChangeHints {
  tell(session?: SessionId): void;
  add(listener: Listener): () => void;
  stop(): void;
}

/** Listeners are called after the writer has its answer, so a slow or failing one never stands in a write's way. */
export function createChangeHints(): ChangeHints {
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
