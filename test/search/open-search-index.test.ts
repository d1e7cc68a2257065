import { mkdirSync, rmdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSearchIndex } from '../../src/search/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { user } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';

const WORDS_ONLY = { embedder: 'none' } as const;

async function storeWithTalk(): Promise<Store> {
  const store = createMemoryStore();
  await store.create({ id: 'talk' }, [{ body: user('port 1') }]);
  return store;
}

/** A store whose listing, which begins every catch-up, is held until `release`; `most` is how many ran at once. */
function gated(store: Store) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const seen = { listing: 0, most: 0 };
  const slow: Store = {
    ...store,
    async list(query) {
      seen.most = Math.max(seen.most, ++seen.listing);
      const page = await store.list(query);
      await released;
      seen.listing--;
      return page;
    },
  };
  return { slow, release, seen };
}

describe('the current index', () => {
  it('has every entry that was written before it was asked for, however calls overlap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('append', 'search', 'tick', 'turn'), { minLength: 1, maxLength: 40 }),
        async (steps) => {
          const store = await storeWithTalk();
          const { slow, release, seen } = gated(store);
          await using index = openSearchIndex(slow, WORDS_ONLY);
          let written = 1;
          const searches: Promise<void>[] = [];
          for (const step of steps) {
            if (step === 'append') await store.append('talk', [{ body: user(`port ${++written}`) }]);
            if (step === 'tick') await undefined;
            if (step === 'turn') await new Promise((resolve) => setImmediate(resolve));
            if (step === 'search') {
              const least = written;
              const search = index.current().then(async ({ recall, behind }) => {
                expect(behind).toBeNull();
                expect((await recall.stats()).messages).toBeGreaterThanOrEqual(least);
              });
              searches.push(search);
            }
            if (searches.length > 2) release();
          }
          release();
          await Promise.all(searches);
          expect(seen.most).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('says how far it is when the patience ends, and is caught up in the background', async () => {
    const { slow, release } = gated(await storeWithTalk());
    await using index = openSearchIndex(slow, { ...WORDS_ONLY, patienceMs: 1 });
    expect((await index.current()).behind).toEqual({ done: 0, total: 0 });
    release();
    await expect.poll(async () => (await (await index.open()).stats()).messages, { timeout: 10_000 }).toBe(1);
  });

  it('leaves a catch-up of a store in a file when the patience ends', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(folder.file('store.db'), { durability: 'normal' });
    await store.create(
      { id: 'long' },
      Array.from({ length: 5_000 }, (_, n) => ({ body: user(`message ${n} about the port`) })),
    );
    await using impatient = openSearchIndex(store, { ...WORDS_ONLY, patienceMs: 1 });
    expect((await impatient.current()).behind).not.toBeNull();
    await using patient = openSearchIndex(store, {
      ...WORDS_ONLY,
      patienceMs: Number.POSITIVE_INFINITY,
    });
    expect(await patient.current()).toMatchObject({ behind: null, report: { withoutMeaning: 0 } });
  });

  it('reports progress and the result of its catch-up', async () => {
    const seen: { done: number; total: number }[] = [];
    const onProgress = (progress: (typeof seen)[number]) => seen.push(progress);
    await using index = openSearchIndex(await storeWithTalk(), { ...WORDS_ONLY, onProgress });
    expect((await index.current()).report).toMatchObject({ messages: 1, unreadable: 0 });
    expect(seen.at(-1)).toEqual({ done: 1, total: 1 });
  });

  it('is tried again after a failure, of which each caller hears that waits', async () => {
    const store = await storeWithTalk();
    let failures = 2;
    const flaky: Store = {
      ...store,
      async list(query) {
        if (failures-- > 0) throw new Error('the disk is gone');
        return store.list(query);
      },
    };
    await using index = openSearchIndex(flaky, WORDS_ONLY);
    const both = await Promise.allSettled([index.current(), index.current()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await index.current()).behind).toBeNull();
  });
});

describe('the file of a search index', () => {
  it('is opened once, at the first use, and again if that failed', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(folder.file('store.db'), { durability: 'normal' });
    mkdirSync(folder.file('store.index.db'));
    await using index = openSearchIndex(store);
    await expect(index.open()).rejects.toThrow();
    rmdirSync(folder.file('store.index.db'));
    const [first, second] = await Promise.all([index.open(), index.open()]);
    expect(first).toBe(second);
    expect((await index.current()).recall).toBe(first);
  });

  it('is closed with the index, also in the middle of a catch-up', async () => {
    const { slow, release } = gated(await storeWithTalk());
    const index = openSearchIndex(slow, WORDS_ONLY);
    const recall = await index.open();
    const waiting = expect(index.current()).rejects.toMatchObject({ code: 'cancelled' });
    await new Promise((resolve) => setImmediate(resolve));
    const closed = index[Symbol.asyncDispose]();
    release();
    await closed;
    await waiting;
    await expect(recall.stats()).rejects.toMatchObject({ code: 'store-closed' });
    await expect(index.open()).rejects.toMatchObject({ code: 'store-closed' });
  });
});
