import type { Entry, EntryBody, SeqRange, SessionInfo } from '../../src/record/index.ts';
import { createSession, forkSession, openSession, type Session } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { assistant, compaction, summaryOf, user } from '../../src/testing/index.ts';
import type { Bench } from '../session/stores.ts';

/** Says something in a session, a second later. */
export async function say(
  { store, clock }: Bench,
  id: string,
  ...bodies: readonly EntryBody[]
): Promise<Entry[]> {
  clock.advance(1000);
  await using session = await openSession(store, id, { now: clock.now });
  return await session.append(bodies);
}

export async function open({ store, clock }: Bench, id: string): Promise<Session> {
  clock.advance(1000);
  return openSession(store, id, { now: clock.now });
}

export async function infoOf({ store }: { store: Store }, id: string): Promise<SessionInfo> {
  return (await store.session(id))!;
}

export async function fork(bench: Bench, parent: string, id: string, at?: number): Promise<SessionInfo> {
  bench.clock.advance(1000);
  const options = { id, now: bench.clock.now, ...(at !== undefined && { at }) };
  return forkSession(bench.store, await infoOf(bench, parent), options);
}

/** Compacts a range of a session into a summary with these decisions, each taken from the entry with its number. */
export async function compact(
  bench: Bench,
  id: string,
  { covers, decisions }: { covers: SeqRange; decisions: Readonly<Record<number, string>> },
): Promise<void> {
  const entries = await bench.store.read(id);
  const lines = Object.entries(decisions).map(([seq, text]) => ({
    text,
    from: [entries[Number(seq) - 1]!.id],
  }));
  await say(bench, id, compaction({ covers, summary: { ...summaryOf('A cache'), decisions: lines } }));
}

/**
 * A session `main` about a cache, and a branch `disk` that tries files while `main` goes on with a map. They parted after
 * entry 4, and each has decided where the cache lives.
 */
export async function twoPlans(bench: Bench): Promise<void> {
  const { store, clock } = bench;
  await using session = await createSession(store, { id: 'main', title: 'Cache' }, { now: clock.now });
  await session.append([
    user('The product page is slow. Please add a cache.'),
    assistant('We decided to cache rendered pages.'),
    user('Write the docs for the page cache.'),
  ]);
  await session.close();
  await fork(bench, 'main', 'disk');
  await say(bench, 'main', assistant('I will.'), user('Try a map in memory for the cache.'));
  await say(bench, 'main', assistant('We decided to use a map in memory for the cache.'));
  await say(bench, 'disk', assistant('I will.'), user('Try files on disk for the cache.'));
  await say(
    bench,
    'disk',
    assistant('We decided to use files on disk for the cache. A page is read in 3 ms.'),
    user('Add a test for eviction.'),
  );
}

export const MAP = 'We decided to use a map in memory for the cache.';
export const FILES = 'We decided to use files on disk for the cache.';
export const EVICTION = 'Add a test for eviction.';
