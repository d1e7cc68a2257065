import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Store } from '../../store/index.ts';
import { assistant, conversation, toolCall, toolResult, user } from '../messages.ts';
import { compaction, foreign, mark, restoration, setting } from '../notes.ts';
import { claimOf, promise } from './promise.ts';

/** A bit of everything: kinds, places, forks of forks, a resumption, blobs, a purge, a lease. */
async function livedIn(store: Store): Promise<void> {
  const usage = { inputTokens: 3, outputTokens: 4 };
  await store.create(
    { id: 'p' },
    conversation(
      user('a'),
      toolCall('look'),
      toolResult('look', 'long '.repeat(10_000)),
      assistant('b', { usage }),
      setting('title', 'Parent'),
      setting('tag', 'x'),
      mark('pinned', { from: 1, to: 2 }),
      compaction({ covers: { from: 1, to: 4 }, usage }),
      foreign('hologram'),
      setting('archived', true),
    ),
  );
  await store.create(
    { id: 'f', parent: { session: 'p', relation: 'fork', seq: 6 } },
    conversation(user('c')),
  );
  await store.create(
    { id: 'g', parent: { session: 'f', relation: 'fork', seq: 2 } },
    conversation(assistant('d')),
  );
  await store.create({ id: 'h', parent: { session: 'f', relation: 'fork', seq: 7 } });
  const resumed = { id: 'r', parent: { session: 'p', relation: 'resume', seq: 10 } } as const;
  await store.create(resumed, conversation(restoration('p'), setting('trashed', true)));
  await store.create({ id: 'gone' }, conversation(user('long gone '.repeat(10_000))));
  await store.purge('gone');
  await store.claimLease('g', claimOf('mine'));
}

async function everything(store: Store): Promise<unknown> {
  const ids = ['p', 'f', 'g', 'h', 'r'];
  const sessions = await Promise.all(ids.map((id) => store.session(id)));
  const entries = await Promise.all(ids.map((id) => store.read(id)));
  return { sessions, entries, count: await store.count(), active: await store.list({ limit: 10 }) };
}

export const sweepPromises = [
  promise('finds nothing in an empty store, and nothing wrong with it', async ({ store }) => {
    deepEqual(await store.verify(), { stored: 0, listed: 0, entries: 0, blobs: 0, problems: [] });
    deepEqual(await store.rebuild(), { sessions: 0, changed: [] });
  }),

  promise('finds everything in a store that was lived in, and nothing wrong', async ({ store }) => {
    await livedIn(store);
    deepEqual(await store.verify(), { stored: 5, listed: 5, entries: 14, blobs: 1, problems: [] });
  }),

  promise('changes nothing by verifying', async ({ store }) => {
    await livedIn(store);
    const before = await everything(store);
    await store.verify();
    deepEqual(await everything(store), before);
  }),

  promise('derives from the logs what it had already', async ({ store }) => {
    await livedIn(store);
    const before = await everything(store);
    deepEqual(await store.rebuild(), { sessions: 5, changed: [] });
    deepEqual(await everything(store), before);
  }),

  promise('goes on after a rebuild: forks know their totals, leases are still held', async ({ store }) => {
    await livedIn(store);
    await store.rebuild();
    const { totals } = await store.create({ id: 'i', parent: { session: 'p', relation: 'fork', seq: 3 } });
    equal(totals.messages, 3);
    await store.append('g', conversation(user('e')), { lease: 'mine' });
    deepEqual((await store.verify()).problems, []);
  }),

  promise('reports progress, forward and up to the total', async ({ store }) => {
    await livedIn(store);
    for (const sweep of ['verify', 'rebuild'] as const) {
      const steps: { done: number; total: number }[] = [];
      await store[sweep]({ onProgress: (step) => steps.push({ ...step }) });
      const last = steps.at(-1);
      ok(last && last.total > 0);
      equal(last.done, last.total);
      deepEqual(
        steps.map(({ done }) => done),
        steps.map(({ done }) => done).sort((a, b) => a - b),
      );
    }
  }),
];
