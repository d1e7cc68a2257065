import { isThroughlineError } from '../../errors.ts';
import type { Entry, EntryBody, EntryId, Root, Seq, SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
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
export interface Diverged {
  readonly seq: Seq;
  readonly rest: readonly Incoming[];
}

/** One session that an import writes into, and how far the file has been followed in it. */
export interface Track {
  readonly session: SessionId;
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

export interface TrackOptions {
  readonly store: Store;
  /** It was there before this import, so what comes may be in it already. */
  readonly known: boolean;
  /** What comes goes behind whatever is there. */
  readonly window: boolean;
  readonly lastSeq: Seq;
  readonly tokens?: number;
  readonly roots?: readonly Root[];
  readonly removed: readonly { from: Seq; to: Seq }[];
  readonly onAdded: (count: number) => void;
  readonly onRepeated: () => void;
}

export function createTrack(session: SessionId, options: TrackOptions): Track {
  const { store, known, onAdded } = options;
  let waiting: Incoming[] = [];
  /** Whether the end of what was there has been passed. */
  let growing = !known || options.window;
  const removed = [...options.removed];

  const track: Track = {
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
      if (batch.length === 0) return undefined;
      return (await appendTogether(batch)) ? undefined : appendOneByOne(batch);
    },
  };

  /** The usual case, in one transaction: all new, or all there already. */
  async function appendTogether(batch: readonly Incoming[]): Promise<boolean> {
    if (!growing && !(await store.entry(session, batch.at(-1)!.id))) return false;
    if (batch.some(({ again }) => again)) return false;
    if (batch.some(({ seq }, index) => seq !== undefined && seq !== track.lastSeq + 1 + index)) return false;
    try {
      const before = growing ? track.lastSeq : (await store.session(session))!.head;
      const written = await store.append(session, batch);
      onAdded(written.filter(({ seq }) => seq > before).length);
      // What was taken back is not what the file says now; the slow way finds what is.
      if (written.some(({ seq }) => removed.some(({ from, to }) => seq >= from && seq <= to))) return false;
      for (const entry of written) passed(entry);
      return true;
    } catch (error) {
      if (isThroughlineError(error, 'entry-conflict') || isThroughlineError(error, 'entry-invalid'))
        return false;
      throw error;
    }
  }

  const settle = createSettler(session, {
    store,
    removed,
    window: options.window,
    lastSeq: () => track.lastSeq,
    isGrowing: () => growing,
    onGrowing: () => {
      growing = true;
    },
    onAdded,
    onRepeated: options.onRepeated,
  });

  async function appendOneByOne(batch: readonly Incoming[]): Promise<Diverged | undefined> {
    for (const [index, incoming] of batch.entries()) {
      const settled = await settle(incoming);
      if (settled === 'diverged') return { seq: track.lastSeq, rest: batch.slice(index) };
      passed(settled);
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
