import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { Entry, EntryId, Seq, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

const PAGE = 200;

/** The entries after `after` up to `upTo`, a page at a time. What stands before a damaged one comes before the error. */
export async function* readLog(
  store: Store,
  { id }: SessionInfo,
  { after, upTo }: { after: Seq; upTo: Seq },
): AsyncGenerator<Entry> {
  for (let cursor = after; cursor < upTo; ) {
    const page = await readPage(store, id, { after: cursor, upTo });
    yield* page.entries;
    if (page.error) throw page.error;
    if (page.entries.length < PAGE) return;
    cursor = page.entries.at(-1)!.seq;
  }
}

/** The number of the entry at a position, which has to be there. */
export async function seqAt(store: Store, session: SessionInfo, position: Seq | EntryId): Promise<Seq> {
  if (typeof position === 'number') return position;
  return (await entryAt(store, session, position)).seq;
}

export async function entryAt(store: Store, session: SessionInfo, position: Seq | EntryId): Promise<Entry> {
  const found =
    typeof position === 'number'
      ? (await store.read(session.id, { after: position - 1, upTo: position, limit: 1 }))[0]
      : await store.entry(session.id, position);
  if (found) return found;
  throw new ThroughlineError(
    'entry-not-found',
    `Session "${session.id}" has no entry ${position}; its entries are 1 to ${session.head}.`,
    { details: { session: session.id, entry: position, head: session.head } },
  );
}

async function readPage(
  store: Store,
  id: string,
  range: { after: Seq; upTo: Seq },
): Promise<{ entries: readonly Entry[]; error?: unknown }> {
  try {
    return { entries: await store.read(id, { ...range, limit: PAGE }) };
  } catch (error) {
    if (!isThroughlineError(error, 'entry-unreadable') || typeof error.details.seq !== 'number') throw error;
    return { entries: await store.read(id, { ...range, upTo: error.details.seq - 1 }), error };
  }
}
