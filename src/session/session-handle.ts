import { isThroughlineError, ThroughlineError } from '../errors.ts';
import {
  checkArgument,
  type Entry,
  type EntryBody,
  type EntryId,
  type NewEntry,
  newEntryId,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import {
  type AppendOptions,
  checkEntries,
  isHeadMoved,
  retryOnHeadMoved,
  type Store,
  sessionIdInvalid,
  tallyEntry,
  wholeBody,
} from '../store/index.ts';
import type { HeldLease } from './hold-lease.ts';
import type { Session, SessionMode } from './session.ts';

const PAGE = 200;

export function createHandle(
  store: Store,
  opened: SessionInfo,
  { mode, lease, now }: { mode: SessionMode; lease?: HeldLease | undefined; now: () => number },
): Session {
  const { id } = opened;
  let info = opened;
  let closing = false;
  const token = lease && { lease: lease.token };
  const queue = createAppendQueue(id, {
    writeLate: (entries) => append(entries, {}),
    onSaved: () => void (closing && end().catch(() => {})),
  });

  async function end(): Promise<void> {
    queue.stop();
    await lease?.release();
  }

  async function append(entries: readonly NewEntry[], options: AppendOptions): Promise<Entry[]> {
    const written = await store.append(id, entries, { ...token, ...options });
    // When the log went on right behind what this handle knew, what it adds up to follows without asking the store.
    const next = info.head + 1;
    if (written.every(({ seq }, index) => seq === next + index)) info = written.reduce(goOn, info);
    else learn(await getSession(store, id));
    return written;
  }

  /** The log only grows, so the higher head is the newer one, in whichever order the answers come. */
  function learn(read: SessionInfo): SessionInfo {
    if (read.head >= info.head) info = read;
    return info;
  }

  /** The holder of the lease goes on from the head it knows. Marks and settings of other writers do not disturb it. */
  async function appendInTurn(entries: readonly NewEntry[], options: AppendOptions): Promise<Entry[]> {
    if (entries.some(isEarly)) await refuseEarly(entries);
    if (mode !== 'write' || options.expectedHead !== undefined) return append(entries, options);
    return retryOnHeadMoved(() => append(entries, { ...options, expectedHead: info.head }), {
      async shouldRetry(error) {
        if (!isHeadMoved(error)) return false;
        const [message] = await store.read(id, { after: info.head, only: 'messages', limit: 1 });
        if (!message) learn(await getSession(store, id));
        return !message;
      },
    });
  }

  /** A compaction of missing entries: it would hide whatever is said next. */
  function isEarly({ body }: NewEntry, index: number): boolean {
    return body.kind === 'compaction' && body.covers.to > info.head + index;
  }

  /** Unless other writers have gone on. */
  async function refuseEarly(entries: readonly NewEntry[]): Promise<void> {
    learn(await getSession(store, id));
    if (entries.some(isEarly)) throw standsForNothing(id, info.head);
  }

  function name(entry: EntryBody | NewEntry): NewEntry {
    const given: NewEntry = 'body' in entry ? entry : { body: entry };
    return { id: given.id ?? newEntryId(now()), at: given.at ?? now(), body: given.body };
  }

  const session: Session = {
    id,
    store,
    mode,
    get info() {
      return info;
    },
    get unsaved() {
      return queue.unsaved;
    },
    async append(entries, options = {}) {
      if (mode === 'read') throw openedToRead(id);
      checkEntries(entries);
      const named = entries.map(name);
      const freshIds = entries.every((entry) => !('body' in entry) || entry.id === undefined);
      const conditional = options.expectedHead !== undefined;
      return queue.append(named, (next) => appendInTurn(next, { ...options, freshIds }), {
        conditional,
      });
    },
    flush: () => queue.flush(),
    read: (range) => store.read(id, range),
    async *entries(range = {}) {
      for (let after = range.after ?? 0; ; ) {
        const page = await store.read(id, { ...range, after, limit: PAGE });
        yield* page;
        if (page.length < PAGE) return;
        after = page.at(-1)!.seq;
      }
    },
    async entry(entryId) {
      const entry = await store.entry(id, entryId);
      if (entry) return entry;
      throw new ThroughlineError('entry-not-found', `Session "${id}" has no entry ${entryId}.`, {
        details: { session: id, entry: entryId },
      });
    },
    whole: async (entry) => ({ ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) }),
    refresh: async () => learn(await getSession(store, id)),
    async close() {
      closing = true;
      try {
        await queue.flush();
      } catch (error) {
        // What waits can only be written under this lease, so the session stays open until it is.
        if (!isThroughlineError(error, 'not-saved')) await end();
        throw error;
      }
      await end();
    },
    [Symbol.asyncDispose]: () => session.close(),
  };
  return session;
}

function goOn(info: SessionInfo, entry: Entry): SessionInfo {
  return { ...info, ...tallyEntry(info, entry) };
}

function standsForNothing(id: string, head: number): ThroughlineError {
  return new ThroughlineError(
    'entry-invalid',
    `Not appended: a compaction stands for what was said before it, and session "${id}" goes up to entry ${head}.`,
    { details: { session: id, head } },
  );
}

function openedToRead(id: string): ThroughlineError {
  return new ThroughlineError(
    'usage',
    `Session "${id}" was opened read-only. Open it to write, or fork it.`,
    { details: { session: id } },
  );
}

/**
 * The session with exactly this id; `session-not-found`, or `session-gone` if it was purged. An id is never taken for a
 * prefix, a title or a number: that is `findSession`. Only a UUID may be given in either case.
 */
export async function getSession(store: Store, id: SessionId): Promise<SessionInfo> {
  // A user without a name would be given a separate session, or one shared by all.
  checkArgument(store, 'store', { call: 'getSession' });
  if (typeof id !== 'string') throw sessionIdInvalid(id);
  for (;;) {
    const info = await store.session(id);
    if (info) return info;
    // Throws if it was purged. If not, the session was created since.
    await store.read(id, { limit: 0 });
  }
}

// Appends of one handle go out one after the other. When the disk refuses, the entries wait here with their ids, so that
// writing them later can neither lose, nor reorder, nor repeat one.

const RETRY_MS = 1000;
const REFUSALS = ['store-full', 'store-unwritable', 'store-busy'] as const;

interface AppendQueue {
  readonly unsaved: readonly NewEntry[];
  /** `conditional` entries belong to the head their writer saw: if they cannot be written now, they are not kept. */
  append(entries: readonly NewEntry[], write: Write, options?: { conditional?: boolean }): Promise<Entry[]>;
  flush(): Promise<void>;
  stop(): void;
}

/** Writes entries to the store. */
type Write = (entries: readonly NewEntry[]) => Promise<Entry[]>;

interface AppendQueueOptions {
  /** Writes what had to wait: the head that the caller once expected says nothing any more. */
  readonly writeLate: Write;
  /** Called when delayed entries were written in the background. */
  readonly onSaved: () => void;
}

function createAppendQueue(id: SessionId, { writeLate, onSaved }: AppendQueueOptions): AppendQueue {
  const unsaved: NewEntry[] = [];
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = waiting++ === 0 ? work() : last.then(work);
    last = result.then(leave, leave);
    return result;
  }

  function leave(): void {
    waiting--;
  }

  async function attempt(entries: readonly NewEntry[], write: Write, conditional: boolean): Promise<Entry[]> {
    try {
      if (unsaved.length > 0) await writeLate([...unsaved]);
      unsaved.length = 0;
      return await write(entries);
    } catch (error) {
      if (!REFUSALS.some((code) => isThroughlineError(error, code))) throw error;
      if (conditional && unsaved.length === 0) throw error;
      if (!conditional) unsaved.push(...entries);
      clearTimeout(retry);
      retry = setTimeout(() => inTurn(flush).then(onSaved, () => {}), RETRY_MS).unref();
      throw notSaved(id, { unsaved, dropped: conditional }, error as Error);
    }
  }

  async function flush(): Promise<void> {
    if (unsaved.length > 0) await attempt([], async () => [], false);
  }

  return {
    unsaved,
    append: (entries, write, { conditional = false } = {}) =>
      inTurn(() => attempt(entries, write, conditional)),
    flush: () => inTurn(flush),
    stop: () => clearTimeout(retry),
  };
}

function notSaved(
  id: SessionId,
  { unsaved, dropped }: { unsaved: readonly NewEntry[]; dropped: boolean },
  cause: Error,
): ThroughlineError {
  const waiting = unsaved.length;
  const what = waiting === 1 ? '1 entry is' : `${waiting} entries are`;
  const other = dropped ? ' What you asked for now depends on the head and is not kept: ask again then.' : '';
  return new ThroughlineError(
    'not-saved',
    `Session "${id}" is not being saved: ${what} only in memory. ${cause.message} They are written as soon as that works again.${other}`,
    { cause, details: { session: id, unsaved: waiting, entries: unsaved.map((entry) => entry.id) } },
  );
}

/**
 * Nothing new is asked in the trash: an answer there would be purged with it, unseen. `stored`: the message that is refused
 * its turn, where the session holds it already.
 */
export function refuseTrashed(info: SessionInfo, options: { stored?: EntryId | undefined } = {}): void {
  const error = trashedError(info, options);
  if (error) throw error;
}

export function trashedError(
  { id, state: { trashedAt } }: SessionInfo,
  { stored }: { stored?: EntryId | undefined } = {},
): ThroughlineError | undefined {
  if (trashedAt === undefined) return undefined;
  const advice =
    stored === undefined
      ? 'Restore it before you go on in it, or fork it.'
      : `Message ${stored} is kept in it, without an answer: restore the session and go on with it.`;
  return new ThroughlineError(
    'session-trashed',
    `Session "${id}" has been in the trash since ${new Date(trashedAt).toISOString()}. ${advice}`,
    { details: { session: id, trashedAt, ...(stored !== undefined && { stored }) } },
  );
}
