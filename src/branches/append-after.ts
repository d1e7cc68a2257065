import { isThroughlineError } from '../errors.ts';
import {
  type Entry,
  type EntryBody,
  type NewEntry,
  newEntryId,
  type Seq,
  type SessionInfo,
} from '../record/index.ts';
import { forkSession, type Session } from '../session/index.ts';
import { isHeadMoved, retryOnHeadMoved, type Store } from '../store/index.ts';

/**
 * What to do when another writer has gone on from the same entry. `rebase` appends behind its messages, `fork` goes on from the
 * expected entry in a new session, `refuse` is `head-moved`.
 */
export type OnHeadMoved = 'rebase' | 'fork' | 'refuse';

export interface AppendAfterOptions {
  /** The newest entry the writer has seen. Defaults to the one that the handle has seen. */
  readonly expectedHead?: Seq;
  readonly onHeadMoved?: OnHeadMoved;
  readonly now?: () => number;
}

/** Where the entries are now, and who was faster. */
export interface Landed {
  readonly outcome: 'appended' | 'rebased' | 'forked';
  readonly session: SessionInfo;
  readonly entries: readonly Entry[];
  /** What others had said since the expected entry. */
  readonly newcomers: readonly Entry[];
}

/**
 * Appends entries that were written against a known head, and reports where they are. The ids stay the same whatever happens,
 * so a repeat after a crash finds the entries instead of writing them twice.
 */
export async function appendAfter(
  session: Session,
  entries: readonly (EntryBody | NewEntry)[],
  { expectedHead = session.info.head, onHeadMoved = 'refuse', now = Date.now }: AppendAfterOptions = {},
): Promise<Landed> {
  const named = entries.map((entry) => name(entry, now()));
  const { store } = session;
  const saidUpTo = (upTo: Seq) => readSaid(store, session.id, { after: expectedHead, upTo });
  let head = expectedHead;
  try {
    const written = await retryOnHeadMoved(() => session.append(named, { expectedHead: head }), {
      async shouldRetry(error) {
        if (!isHeadMoved(error)) return false;
        ({ head } = await session.refresh());
        // Marks and settings of other writers do not take the conversation another way.
        return onHeadMoved === 'rebase' || (await saidUpTo(head)).length === 0;
      },
    });
    const newcomers = await saidUpTo((written[0]?.seq ?? 1) - 1);
    const outcome = newcomers.length > 0 ? 'rebased' : 'appended';
    return { outcome, session: await session.refresh(), entries: written, newcomers };
  } catch (error) {
    if (onHeadMoved !== 'fork' || !isCrossed(error)) throw error;
    const info = await session.refresh();
    const newcomers = await saidUpTo(info.head);
    return branchOff(store, info, { named, expectedHead, newcomers, now });
  }
}

/** True if another writer writes in the session, or has written in it. */
function isCrossed(error: unknown): boolean {
  const held = isThroughlineError(error, 'lease-lost') || isThroughlineError(error, 'lease-held');
  return held || isHeadMoved(error);
}

function name(entry: EntryBody | NewEntry, now: number): NewEntry {
  const given: NewEntry = 'body' in entry ? entry : { body: entry };
  return { id: given.id ?? newEntryId(now), at: given.at ?? now, body: given.body };
}

/** Messages of a stretch, and everything else that continues a session; not the marks and settings. */
async function readSaid(
  store: Store,
  id: string,
  { after, upTo }: { after: Seq; upTo: Seq },
): Promise<Entry[]> {
  if (upTo <= after) return [];
  const entries = await store.read(id, { after, upTo });
  return entries.filter(({ body }) => body.kind !== 'mark' && body.kind !== 'setting');
}

/** The fork is born with the entries, in one step: a kill leaves no empty one behind. */
async function branchOff(
  store: Store,
  info: SessionInfo,
  {
    named,
    expectedHead,
    newcomers,
    now,
  }: { named: readonly NewEntry[]; expectedHead: Seq; newcomers: readonly Entry[]; now: () => number },
): Promise<Landed> {
  const fork =
    (await findBranch(store, info, named)) ??
    (await forkSession(store, info, { at: expectedHead, entries: named, now }));
  const ids = named.map(({ id }) => id!);
  const entries = await Promise.all(ids.map((id) => store.entry(fork.id, id)));
  return {
    outcome: 'forked',
    session: fork,
    entries: entries.map((entry) => entry!),
    newcomers,
  };
}

/** The fork that an earlier try made, if it came that far. */
async function findBranch(
  store: Store,
  info: SessionInfo,
  named: readonly NewEntry[],
): Promise<SessionInfo | undefined> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ parent: info.id, limit: 100, ...(cursor && { cursor }) });
    for (const child of page.sessions) {
      const found = await Promise.all(named.map(({ id }) => store.entry(child.id, id!)));
      if (named.length > 0 && found.every((entry) => entry !== undefined)) return child;
    }
    cursor = page.cursor;
    if (!cursor) return undefined;
  }
}
