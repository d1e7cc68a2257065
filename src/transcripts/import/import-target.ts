import { isThroughlineError } from '../../errors.ts';
import type { Entry, EntryBody, EntryId, Root, Seq, SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type ImportLook, isRemoved, retryWhenSessionMoved } from './retry-when-session-moved.ts';
import { createSettler } from './settle-entry.ts';

/** An entry on its way into a session. */
export interface Incoming {
  readonly id: EntryId;
  readonly at: number;
  readonly body: EntryBody;
  /** The number it has to have. */
  readonly seq?: Seq;
  /** It was given before and is given again as it is now, with what followed it. */
  readonly again?: true;
  /** The next one does not follow it. */
  readonly aside?: true;
}

/** What could not go into this session, because the session went another way after `seq`. */
interface Diverged {
  readonly seq: Seq;
  readonly rest: readonly Incoming[];
}

/** One session that an import writes into, and how far the file has been followed in it. */
export interface ImportTarget {
  readonly session: SessionId;
  /** The session was purged: nothing goes into it. */
  readonly leftOut?: true;
  /** The last entry of the file that is in it, and its number. */
  last: EntryId | undefined;
  lastSeq: Seq;
  /** Tokens of the file's entries so far. */
  tokens: number;
  /** The compactions that nothing covers yet, as of `lastSeq`. */
  roots: readonly Root[];
  readonly waiting: readonly Incoming[];
  push(entry: Incoming): void;
  /** Writes what waits. */
  flush(): Promise<Diverged | undefined>;
}

interface ImportTargetOptions {
  readonly store: Store;
  /** It was there before this import, so what comes may be in it already. */
  readonly known: boolean;
  /** What comes goes behind whatever is there. */
  readonly window: boolean;
  readonly lastSeq: Seq;
  readonly tokens?: number;
  readonly roots?: readonly Root[];
  readonly onAdded: (count: number) => void;
  readonly onRepeated: () => void;
}

/** Follows the file through a session that was purged, and writes nothing. */
export function leaveOutOfImport(session: SessionId): ImportTarget {
  return {
    session,
    leftOut: true,
    last: undefined,
    lastSeq: 0,
    tokens: 0,
    roots: [],
    waiting: [],
    push(entry) {
      if (!entry.aside) this.last = entry.id;
    },
    flush: async () => undefined,
  };
}

export function createImportTarget(session: SessionId, options: ImportTargetOptions): ImportTarget {
  const { store, known, onAdded } = options;
  let waiting: Incoming[] = [];
  /** True once the end of the stored log has been passed. */
  let growing = !known || options.window;

  const track: ImportTarget = {
    session,
    last: undefined,
    lastSeq: options.lastSeq,
    tokens: options.tokens ?? 0,
    roots: options.roots ?? [],
    get waiting() {
      return waiting;
    },
    push(entry) {
      waiting.push(entry);
      if (!entry.aside) track.last = entry.id;
    },
    async flush() {
      const batch = waiting;
      waiting = [];
      return appendAll(batch);
    },
  };

  async function appendAll(batch: readonly Incoming[]): Promise<Diverged | undefined> {
    if (batch.length === 0) return undefined;
    const all = await retryWhenSessionMoved(store, session, (look) => appendTogether(batch, look));
    return all ? undefined : appendOneByOne(batch);
  }

  async function append(entries: readonly Incoming[], { head }: ImportLook): Promise<Entry[]> {
    const written = await store.append(session, entries, { expectedHead: head });
    onAdded(written.filter(({ seq }) => seq > head).length);
    return written;
  }

  /** The usual case, in one transaction: all new, or all there already. */
  async function appendTogether(batch: readonly Incoming[], look: ImportLook): Promise<boolean> {
    if (!growing && !(await store.entry(session, batch.at(-1)!.id))) return false;
    if (batch.some(({ again }) => again)) return false;
    if (batch.some(({ seq }, index) => seq !== undefined && seq !== track.lastSeq + 1 + index)) return false;
    // A record taken back differs from the file of now; the slow way finds the right one.
    if (await wasTakenBack(batch, look)) return false;
    try {
      for (const entry of await append(batch, look)) passed(entry);
      return true;
    } catch (error) {
      if (isThroughlineError(error, 'entry-conflict') || isThroughlineError(error, 'entry-invalid'))
        return false;
      throw error;
    }
  }

  async function wasTakenBack(batch: readonly Incoming[], look: ImportLook): Promise<boolean> {
    if (look.removed.length === 0) return false;
    for (const { id } of batch) {
      const there = await store.entry(session, id);
      if (there && isRemoved(look, there.seq)) return true;
    }
    return false;
  }

  const settle = createSettler(session, {
    store,
    append,
    window: options.window,
    lastSeq: () => track.lastSeq,
    isGrowing: () => growing,
    onGrowing: () => {
      growing = true;
    },
    onRepeated: options.onRepeated,
  });

  async function appendOneByOne(batch: readonly Incoming[]): Promise<Diverged | undefined> {
    for (const [index, incoming] of batch.entries()) {
      const grew = growing;
      const settled = await settle(incoming);
      if (settled === 'diverged') return { seq: track.lastSeq, rest: batch.slice(index) };
      passed(settled);
      // Behind the end of the stored log all is new.
      if (growing && !grew) return appendAll(batch.slice(index + 1));
    }
    return undefined;
  }

  function passed(entry: Entry): void {
    track.lastSeq = Math.max(track.lastSeq, entry.seq);
    if (entry.body.kind === 'message') track.tokens += entry.tokens;
    if (entry.body.kind === 'compaction') {
      const { covers, level } = entry.body;
      const covered = ({ from, to }: Root) => from >= covers.from && to <= covers.to;
      const root = { id: entry.id, seq: entry.seq, level, ...covers };
      track.roots = [...track.roots.filter((other) => !covered(other)), root];
    }
  }

  return track;
}
