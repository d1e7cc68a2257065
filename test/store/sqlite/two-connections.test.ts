import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversation, setting, user } from '../../../src/testing/index.ts';
import { claimOf } from '../../../src/testing/store-contract/promise.ts';
import { startChild } from '../../flows/child.ts';
import { openFile, said } from '../../session/stores.ts';

describe.each(['full', 'normal'] as const)('two connections to one file, durability %s', (durability) => {
  it('know of each other’s entries, whichever of them wrote last', async () => {
    await using bench = await openFile({ durability });
    const stores = [bench.store, await bench.connect()] as const;
    for (const id of ['s', 't']) await bench.store.create({ id });
    const turns = fc.array(fc.record({ by: fc.nat(1), to: fc.constantFrom('s', 't') }), { maxLength: 12 });
    const expected: Record<string, string[]> = { s: [], t: [] };
    let said_ = 0;
    const property = fc.asyncProperty(turns, async (turns) => {
      for (const { by, to } of turns) {
        const text = `${++said_}`;
        const [entry] = await stores[by]!.append(to, [{ body: user(text) }]);
        expected[to]!.push(text);
        expect(entry?.seq).toBe(expected[to]!.length);
      }
      for (const store of stores) {
        for (const id of ['s', 't']) {
          expect(said(await store.read(id))).toEqual(expected[id]);
          expect((await store.session(id))?.totals.messages).toBe(expected[id]!.length);
        }
      }
    });
    await fc.assert(property, { numRuns: 25 });
    expect((await bench.store.verify()).problems).toEqual([]);
  });

  it('know of each other’s leases before the next append', async () => {
    await using bench = await openFile({ durability });
    const { store } = bench;
    const other = await bench.connect();
    await store.create({ id: 's' });
    await store.append('s', conversation(user('a')));
    await other.claimLease('s', claimOf('theirs'));
    await expect(store.append('s', conversation(user('b')))).rejects.toMatchObject({ code: 'lease-held' });
    await store.append('s', conversation(setting('tag', 'x')));
    await other.releaseLease('s', 'theirs');
    await store.append('s', conversation(user('b')));
    await store.claimLease('s', claimOf('mine'));
    await store.append('s', conversation(user('c')), { lease: 'mine' });
    await other.claimLease('s', claimOf('theirs', { replaces: 'mine' }));
    await expect(store.append('s', conversation(user('d')), { lease: 'mine' })).rejects.toMatchObject({
      code: 'lease-lost',
    });
  });

  it('write nothing into a session that the other has purged, and do not make it again', async () => {
    await using bench = await openFile({ durability });
    const { store } = bench;
    const other = await bench.connect();
    await store.create({ id: 's' }, conversation(user('old')));
    await store.append('s', conversation(user('old too')));
    await other.purge('s');
    await expect(store.append('s', conversation(user('lost')))).rejects.toMatchObject({
      code: 'session-gone',
    });
    for (const one of [store, other]) {
      await expect(one.create({ id: 's' })).rejects.toMatchObject({ code: 'session-gone' });
      expect(await one.session('s')).toBeUndefined();
    }
    expect((await store.verify()).problems).toEqual([]);
  });
});

describe('writes that are asked for together', () => {
  it('are undone alone when one of them is refused, whatever it had changed', async () => {
    await using bench = await openFile();
    const { store } = bench;
    await store.create({ id: 's' }, conversation(user('a')));
    await store.create({ id: 't' }, conversation(user('a')));
    const [known] = await store.read('s');
    const clash = { id: known!.id, body: user('not a') };
    const outcomes = await Promise.allSettled([
      store.append('s', conversation(user('b'))),
      store.append('t', conversation(user('b'))),
      store.append('s', [...conversation(user('undone')), clash]),
      store.append('s', conversation(user('c'))),
      store.create({ id: 'u' }, conversation(user('fine'))),
      store.create({ id: 'u' }, conversation(user('taken'))),
      store.append('u', conversation(user('more'))),
      store.append('t', conversation(user('undone')), { expectedHead: 1 }),
      store.append('t', conversation(user('c'))),
    ]);
    expect(outcomes.map(({ status }) => status[0]).join('')).toBe('ffrffrfrf');
    expect(said(await store.read('s'))).toEqual(['a', 'b', 'c']);
    expect(said(await store.read('t'))).toEqual(['a', 'b', 'c']);
    expect(said(await store.read('u'))).toEqual(['fine', 'more']);
    expect((await store.verify()).problems).toEqual([]);
  });

  it('do not suffer from one that the file cannot hold', async () => {
    await using bench = await openFile();
    const { store } = bench;
    await store.create({ id: 's' });
    const outcomes = await Promise.allSettled([
      store.append('s', conversation(user('a'))),
      store.create({ id: 'never', createdAt: 1.5 }, conversation(user('x'))),
      store.append('s', conversation(user('b'))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(said(await store.read('s'))).toEqual(['a', 'b']);
    expect(await store.session('never')).toBeUndefined();
  });
});

describe('reading while another process writes', () => {
  it('never shows less than it has shown before', async () => {
    await using bench = await openFile({ durability: 'normal' });
    const { store, file } = bench;
    for (const id of ['x', 'y']) await store.create({ id }, conversation(user('first')));
    const child = startChild('append-many.ts', [file, 'x,x,x,x,y', '3000', 'child']);
    let over = false;
    child.ended.then(() => {
      over = true;
    });
    const seen = { head: 0, last: 0, listed: 0 };
    const grows = (what: keyof typeof seen, now: number) => {
      expect(now).toBeGreaterThanOrEqual(seen[what]);
      seen[what] = now;
    };
    while (!over) {
      for (let n = 0; n < 50; n++) {
        grows('head', (await store.session('x'))!.head);
        grows('last', (await store.read('x', { order: 'newest-first', limit: 1 }))[0]!.seq);
        const { sessions } = await store.list({ limit: 5 });
        grows('listed', sessions.find(({ id }) => id === 'x')!.head);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
    expect((await store.session('x'))!.head).toBe(2401);
  });
});
