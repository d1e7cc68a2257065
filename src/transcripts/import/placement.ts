import { hash } from 'node:crypto';
import { isThroughlineError } from '../../errors.ts';
import {
  type Compaction,
  deriveSessionId,
  type EntryBody,
  type EntryId,
  emptySummary,
  type Root,
  type Seq,
  type SeqRange,
  type SessionId,
  type SessionInfo,
} from '../../record/index.ts';
import { type Store, sessionsNamed } from '../../store/index.ts';
import { countText } from '../../tokens/index.ts';
import type { FoundBody, FoundCompaction, FoundEntry } from '../transcript.ts';
import { createImportTarget, type ImportTarget, type Incoming, leaveOutOfImport } from './import-target.ts';
import type { ImportTally } from './report.ts';

// A transcript may be a tree: a person went back and asked something else. The first way that was gone stays in the
// session; every other one becomes a fork at the place where it leaves. So a file that grows adds to the sessions it made.

/** Where the entries of one session of a source go. */
export interface Placement {
  /** The session that the newest entry is in. */
  readonly current: SessionId;
  place(entry: FoundEntry): Promise<void>;
  /** Goes to the session that ends with an entry, if there is one. */
  goTo(after: EntryId): Promise<void>;
  flush(): Promise<void>;
}

interface PlacementOptions {
  readonly info: SessionInfo;
  /** The session was there before this import. */
  readonly known: boolean;
  /** How many entries it was born with. */
  readonly birth: Seq;
  /** What comes goes behind whatever is there. */
  readonly window: boolean;
  /** What becomes of a branch that was purged. */
  readonly purged: 'again' | 'leave-out';
  /** The numbers that entries have in the file are those they have to have. */
  readonly numbered: boolean;
  readonly tally: ImportTally;
}

/** Entries that are written together: few enough to be forgotten before they grow old in memory. */
const BATCH = 100;

export function createPlacement(
  store: Store,
  { info, known, birth, window, numbered, tally, purged }: PlacementOptions,
): Placement {
  const root = info.id;
  const tracks = new Map<SessionId, ImportTarget>();
  const heard = {
    onAdded: (count: number) => {
      tally.added += count;
    },
    onRepeated: () => tally.damage('repeated'),
  };
  let diverging: EntryId | undefined;
  let current = follow(info, { known, lastSeq: window ? info.head : birth });

  function follow(
    { id }: SessionInfo,
    start: { known: boolean; lastSeq: Seq; tokens?: number; roots?: readonly Root[] },
  ): ImportTarget {
    const track = createImportTarget(id, { store, window, ...start, ...heard });
    tracks.set(id, track);
    return track;
  }

  async function flush(): Promise<void> {
    for (;;) {
      const diverged = await current.flush();
      if (!diverged) return;
      const first = diverged.rest[0]!;
      // A fork that does not fit either: the numbers in the file are those of a log that is not here.
      const again = first.id === diverging;
      diverging = first.id;
      if (!again) await fork(current, diverged.seq, first);
      for (const { seq, ...entry } of diverged.rest)
        current.push(again || seq === undefined ? entry : { ...entry, seq });
    }
  }

  /** Goes on in a fork of a session. Its id follows from where it leaves and with what, so it is found again. */
  async function fork(from: ImportTarget, seq: Seq, first: { id: EntryId; at: number }): Promise<void> {
    tally.branches++;
    const { tokens } = from;
    const start = { lastSeq: seq, tokens, roots: from.roots.filter((one) => one.seq <= seq) };
    for await (const { id, info, made, gone } of branches(from.session, first, seq)) {
      if (gone && purged === 'again') continue;
      const known = tracks.get(id);
      current = known ?? (info ? follow(info, { ...start, known: !made }) : leaveOutOfImport(id));
      return;
    }
  }

  /** The sessions that may be the branch, first the one under the id that older versions gave: it is not made. */
  async function* branches(from: SessionId, first: { id: EntryId; at: number }, seq: Seq) {
    const reason = [from, first.id];
    const older = `${root.slice(0, 110)}_${hash('sha256', JSON.stringify(reason)).slice(0, 8)}`;
    const there = await look(older);
    const belongs = ({ parent }: SessionInfo) => parent?.relation === 'fork' && parent.session === from;
    if (there !== 'free' && (!there.info || belongs(there.info))) yield { id: older, made: false, ...there };
    const parent = { session: from, relation: 'fork' as const, seq };
    const bear = () => ({ createdAt: first.at, parent });
    const idOf = (attempt: number) => deriveSessionId(root, ...reason, attempt);
    for await (const { purged: gone, ...named } of sessionsNamed(store, idOf(1), { belongs, bear, idOf }))
      if (named.info || gone) yield { ...named, gone };
  }

  async function look(id: SessionId): Promise<{ info: SessionInfo | undefined; gone: boolean } | 'free'> {
    try {
      // Throws if there is none, and says whether it was purged.
      await store.read(id, { limit: 0 });
      return { info: await store.session(id), gone: false };
    } catch (error) {
      if (isThroughlineError(error, 'session-gone')) return { info: undefined, gone: true };
      if (isThroughlineError(error, 'session-not-found')) return 'free';
      throw error;
    }
  }

  async function goBack(after: EntryId): Promise<void> {
    await flush();
    for (const track of tracks.values()) {
      const seq = (await store.entry(track.session, after))?.seq;
      if (seq === undefined || (await goesOn(track, seq))) continue;
      current = track;
      return;
    }
  }

  /** Goes to where an entry belongs that does not follow the one before it. */
  async function goTo(entry: FoundEntry, after: EntryId | null): Promise<void> {
    await flush();
    const others = [...tracks.values()].filter((track) => track !== current).reverse();
    const all = current.leftOut ? others : [current, ...others];
    if (await goToStored(entry, all)) return;
    let left: { track: ImportTarget; seq: Seq } | undefined;
    for (const track of all) {
      const seq = after === null ? birth : (await store.entry(track.session, after))?.seq;
      if (seq === undefined) continue;
      if (!(await goesOn(track, seq))) {
        current = track;
        return;
      }
      left ??= { track, seq };
    }
    if (!left) tally.damage('missing-parent');
    // Another import of the same file may have written this entry since we looked.
    else if (!(await goToStored(entry, all))) await fork(left.track, left.seq, entry);
  }

  /** Whether something was said in it after an entry, or a summary made: a way that goes on from there does not see that. */
  async function goesOn({ session, roots }: ImportTarget, seq: Seq): Promise<boolean> {
    if (roots.some((root) => root.seq > seq)) return true;
    return (await store.read(session, { after: seq, only: 'messages', limit: 1 })).length > 0;
  }

  /** Goes to where the entry is already: the import is a repeat so far. */
  async function goToStored({ id }: FoundEntry, all: readonly ImportTarget[]): Promise<boolean> {
    for (const track of all) {
      const stored = await store.entry(track.session, id);
      if (!stored || stored.seq <= birth) continue;
      current = track;
      return true;
    }
    return false;
  }

  return {
    get current() {
      return current.session;
    },
    async place(entry) {
      const { after, body } = entry;
      if (after !== undefined && after !== (current.last ?? null)) await goTo(entry, after);
      if (current.leftOut) {
        current.last = entry.id;
        return;
      }
      if (body.kind === 'found-compaction') await flush();
      const incoming: Incoming = {
        id: entry.id,
        at: entry.at,
        body: await resolveBody(body, { store, track: current }),
        ...(numbered && entry.seq !== undefined && { seq: entry.seq }),
        ...(entry.again && { again: entry.again }),
        ...(entry.aside && { aside: entry.aside }),
      };
      current.push(incoming);
      if (current.waiting.length >= BATCH) await flush();
    },
    goTo: goBack,
    flush,
  };
}

/** The body as it is stored: a foreign compaction gets the numbers of what it covers. */
async function resolveBody(
  body: FoundBody,
  { store, track }: { store: Store; track: ImportTarget },
): Promise<EntryBody> {
  return body.kind === 'found-compaction' ? resolveCompaction(body, store, track) : body;
}

async function resolveCompaction(
  { keepFrom, covers: named, text, summary, tokensBefore, model, usage, meta }: FoundCompaction,
  store: Store,
  track: ImportTarget,
): Promise<EntryBody> {
  const kept = keepFrom === undefined ? undefined : await store.entry(track.session, keepFrom);
  const to = Math.max(1, kept && kept.seq <= track.lastSeq ? kept.seq - 1 : track.lastSeq);
  const covers = (named && (await rangeOf(named, store, track))) ?? { from: 1, to };
  const children = track.roots.filter((root) => root.from >= covers.from && root.to <= covers.to);
  const body: Compaction = {
    kind: 'compaction',
    level: Math.max(0, ...children.map(({ level }) => level)) + 1,
    covers,
    children: children.map(({ id }) => id),
    // Everything that the other program's model was sent; a digest of it would be a second opinion.
    summary: { ...(summary ?? emptySummary(text)) },
    tokensBefore: Math.round(tokensBefore ?? track.tokens),
    tokensAfter: countText(text),
    by: { kind: 'import', ...(model !== undefined && { model }) },
    // What the covered range held has not been compared with it.
    retention: 0,
    ...(usage && { usage }),
    ...(meta && { meta: { ...meta } }),
  };
  return body;
}

async function rangeOf(
  { from, to }: NonNullable<FoundCompaction['covers']>,
  store: Store,
  { session }: ImportTarget,
): Promise<SeqRange | undefined> {
  const [first, last] = await Promise.all([store.entry(session, from), store.entry(session, to)]);
  return first && last && first.seq <= last.seq ? { from: first.seq, to: last.seq } : undefined;
}
