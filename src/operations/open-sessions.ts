import { isThroughlineError, type ThroughlineError } from '../errors.ts';
import type { Entry, NewEntry, SessionId } from '../record/index.ts';
import { type OpenOptions, openSession, type Session } from '../session/index.ts';
import { isHeadMoved, type LeaseOwner, type Store } from '../store/index.ts';

// One handle for each session that this process writes in, shared by all requests in it. Its lease is given back soon
// after the last request, so that another program can go on.

export interface OpenSessions {
  readonly store: Store;
  /**
   * Works in a session under its lease. While another process writes in it, this waits up to `waitMs` and then fails with
   * `lease-held`.
   */
  use<T>(id: SessionId, work: (session: Session) => Promise<T>, options?: UseOptions): Promise<T>;
  /**
   * Appends: through the handle if there is one, else without a lease, or after waiting for it. Entries without an id are
   * not looked up first.
   */
  append(id: SessionId, entries: readonly NewEntry[], handedOver?: () => void): Promise<Entry[]>;
  /** A handle that another writer has overtaken: the next use opens the session anew. */
  forget(id: SessionId, session: Session): void;
  /** Gives the lease back now, if no request uses it. */
  letGo(id: SessionId): Promise<void>;
  /** Gives the sessions whose entries the disk refuses to take: they stay open, and the entries are in memory alone. */
  close(): Promise<readonly Session[]>;
}

/** True if another writer took the session over since it was opened here. */
export function isOvertaken(error: unknown): boolean {
  return isThroughlineError(error, 'lease-lost') || isHeadMoved(error);
}

export interface UseOptions {
  readonly waitMs?: number | undefined;
}

export interface OpenSessionsOptions {
  readonly owner?: string;
  readonly lingerMs?: number;
  readonly waitMs?: number | undefined;
  /** Opens a session; `openSession` unless given. */
  readonly open?: typeof openSession;
  /** A handle that the process holds anyway: it is used, and stays open. */
  readonly held?: (id: SessionId) => Session | undefined;
  /** Ends the work that turns left in the background of a session. */
  readonly beforeClose?: (session: Session) => Promise<void>;
}

interface Slot {
  readonly session: Promise<Session>;
  users: number;
  timer?: NodeJS.Timeout;
  closing?: Promise<void>;
}

const LINGER_MS = 3_000;
const WAIT_MS = 10_000;
const AFTER_SERVER_MS = LINGER_MS + 2_000;
const SERVER = 'Throughline server';

/**
 * For a terminal: opens a session that a server gives back soon after its last request, and waits for no other writer.
 * `onWait` is called with the error that would come without the wait.
 */
export async function openBehindServer(
  store: Store,
  id: SessionId,
  options: OpenOptions = {},
  onWait: (held: ThroughlineError) => void = () => {},
): Promise<Session> {
  try {
    return await openSession(store, id, options);
  } catch (error) {
    const { waitMs = 0 } = options;
    if (!isThroughlineError(error, 'lease-held') || waitMs >= AFTER_SERVER_MS) throw error;
    if ((error.details.holder as LeaseOwner | undefined)?.name !== SERVER) throw error;
    onWait(error);
    return openSession(store, id, { ...options, waitMs: AFTER_SERVER_MS });
  }
}

export function createOpenSessions(
  store: Store,
  {
    owner = SERVER,
    lingerMs = LINGER_MS,
    waitMs: usualWait = WAIT_MS,
    open = openSession,
    held = () => undefined,
    beforeClose = async () => {},
  }: OpenSessionsOptions = {},
): OpenSessions {
  const slots = new Map<SessionId, Slot>();
  const closing = new AbortController();

  async function enter(
    id: SessionId,
    { waitMs = usualWait }: UseOptions,
  ): Promise<{ slot: Slot; session: Session }> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const left = Math.max(0, deadline - performance.now());
      const found = slots.get(id);
      if (found?.closing) {
        await found.closing.catch(() => {});
        continue;
      }
      const { signal } = closing;
      const slot: Slot = found ?? {
        session: open(store, id, { owner, waitMs: left, signal }),
        users: 0,
      };
      slots.set(id, slot);
      slot.users++;
      clearTimeout(slot.timer);
      try {
        return { slot, session: await slot.session };
      } catch (error) {
        slot.users--;
        if (slots.get(id) === slot) slots.delete(id);
        // The time of the caller that opened it was over; this one may have some left.
        if (!found || left === 0 || !isThroughlineError(error, 'lease-held')) throw error;
      }
    }
  }

  function leave(id: SessionId, slot: Slot): void {
    if (--slot.users === 0) closeLater(id, slot);
  }

  function closeLater(id: SessionId, slot: Slot): void {
    slot.timer = setTimeout(() => void shut(id, slot).catch(() => {}), lingerMs).unref();
  }

  function shut(id: SessionId, slot: Slot): Promise<void> {
    clearTimeout(slot.timer);
    slot.closing ??= (async () => {
      let isKept = false;
      try {
        const session = await slot.session;
        await beforeClose(session).catch(() => {});
        await session.flush().catch((error: unknown) => {
          isKept = isThroughlineError(error, 'not-saved') && slots.get(id) === slot;
          if (isKept) throw error;
        });
        await session.close();
      } finally {
        // What waits for the disk is in this handle alone: the next request goes on with it.
        if (isKept) {
          delete slot.closing;
          closeLater(id, slot);
        } else if (slots.get(id) === slot) slots.delete(id);
      }
    })();
    return slot.closing;
  }

  /** Closed at once: its heartbeat would take the lease again, with a head that is no longer the newest. */
  function drop(id: SessionId, slot: Slot): void {
    if (slots.get(id) === slot) slots.delete(id);
    void shut(id, slot).catch(() => {});
  }

  async function use<T>(
    id: SessionId,
    work: (session: Session) => Promise<T>,
    options: UseOptions = {},
  ): Promise<T> {
    const own = held(id);
    if (own) return work(own);
    const { slot, session } = await enter(id, options);
    try {
      return await work(session);
    } catch (error) {
      if (isOvertaken(error)) drop(id, slot);
      throw error;
    } finally {
      leave(id, slot);
    }
  }

  return {
    store,
    use,
    forget(id, session) {
      const slot = slots.get(id);
      void slot?.session.then(
        (held) => held === session && drop(id, slot),
        () => {},
      );
    },
    async append(id, entries, handedOver) {
      const through = (session: Session) => session.append(entries);
      if (held(id) || slots.has(id)) return use(id, through);
      try {
        const freshIds = entries.every((entry) => entry.id === undefined);
        const stored = store.append(id, entries, { freshIds });
        handedOver?.();
        return await stored;
      } catch (error) {
        // The lease may be our own, taken a moment ago, or that of a process which is soon done.
        if (!isThroughlineError(error, 'lease-held')) throw error;
        return use(id, through);
      }
    },
    async letGo(id) {
      const slot = slots.get(id);
      if (slot && slot.users === 0) await shut(id, slot);
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...slots].map(([id, slot]) => shut(id, slot)));
      const left = [...slots.values()];
      for (const { timer } of left) clearTimeout(timer);
      return Promise.all(left.map(({ session }) => session));
    },
  };
}
