import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createSession,
  getSession,
  openOrCreateSession,
  openSession,
  purgeSession,
  trashSession,
} from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { conversation, user } from '../../src/testing/index.ts';
import { openFile, STORES, said } from './stores.ts';

const UPPER = '0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D';

/** A request of a user: opens the session, says something, and closes it. */
async function request(store: Store, id: string, text: string): Promise<void> {
  await using session = await openOrCreateSession(store, id);
  await session.append([user(text)]);
}

describe.each(STORES)('opening or creating a session in a $kind store', ({ open }) => {
  it.each([undefined, null, 1, {}, ['ann']])(
    'refuses %j for an id, and neither makes nor opens a session',
    async (id: unknown) => {
      await using bench = await open();
      const { store } = bench;
      await request(store, 'ann', 'My secret is 42.');
      for (const call of [openOrCreateSession, openSession, getSession])
        await expect(call(store, id as string)).rejects.toMatchObject({ code: 'session-id-invalid' });
      if (id !== undefined)
        await expect(createSession(store, { id: id as string })).rejects.toMatchObject({
          code: 'usage',
          message: expect.stringContaining('"id"'),
        });
      expect((await store.list({ limit: 9 })).sessions).toHaveLength(1);
    },
  );

  it('creates it with what it is to be born with, and leaves one that is there as it is', async () => {
    await using bench = await open();
    const { store } = bench;
    const birth = {
      title: 'Ann',
      agent: 'Sally',
      tags: ['new'],
      project: 'shop',
      settings: { plan: 'free' },
    };
    await using first = await openOrCreateSession(store, 'user-ann', birth);
    expect(first.info.state).toMatchObject({
      title: { text: 'Ann' },
      tags: ['new'],
      settings: { agent: 'Sally', project: 'shop', plan: 'free' },
    });
    await first.append([user('Hello')]);
    await first.close();
    await using again = await openOrCreateSession(store, 'user-ann', { title: 'Bob', tags: ['old'] });
    expect(again.info.state).toMatchObject({ title: { text: 'Ann' }, tags: ['new'] });
    expect(said(await again.read({ only: 'messages' }))).toEqual(['Hello']);
  });

  it('takes the id for nothing but an id', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 'user-ann' }, conversation(user('user-a')));
    await store.create({ id: 'user-mallory' }, [
      { body: { kind: 'setting', name: 'title', value: 'user-bob', by: 'user' } },
    ]);
    for (const id of ['user-a', 'user-bob', 'User-Ann', '1']) await request(store, id, `from ${id}`);
    for (const id of ['user-a', 'user-bob', 'User-Ann', '1'])
      expect(said(await store.read(id))).toEqual([`from ${id}`]);
    expect(said(await store.read('user-ann'))).toEqual(['user-a']);
    expect((await getSession(store, 'user-mallory')).head).toBe(1);
  });

  it('makes one session of many first calls at once, and serves them one after the other', async () => {
    await using bench = await open();
    const { store } = bench;
    const texts = Array.from({ length: 20 }, (_, n) => `request ${n}`);
    await Promise.all(texts.map((text) => request(store, 'user-ann', text)));
    expect(said(await store.read('user-ann')).sort()).toEqual(texts.sort());
    expect(await store.count()).toEqual({ active: 1, archived: 0, trashed: 0 });
    expect(await store.lease('user-ann')).toBeUndefined();
  });

  it('serves those who wait in the order they came', async () => {
    await using bench = await open();
    const { store } = bench;
    const first = await createSession(store, { id: 's' });
    const order: number[] = [];
    const waiting = [1, 2, 3, 4].map(async (n) => {
      await using session = await openSession(store, 's', { waitMs: 60_000 });
      order.push(n);
      await session.append([user(String(n))]);
    });
    await delay(20);
    expect(order).toEqual([]);
    await first.close();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('gives up when the time is over, and says who holds the session and how long that was', async () => {
    await using bench = await open();
    const { store } = bench;
    await using holder = await createSession(store, { id: 's' }, { owner: 'the other one' });
    await expect(openSession(store, 's')).rejects.toMatchObject({ code: 'lease-held' });
    const opening = openOrCreateSession(store, 's', { waitMs: 30 });
    await expect(opening).rejects.toMatchObject({
      code: 'lease-held',
      details: {
        session: 's',
        holder: { name: 'the other one', pid: process.pid },
        waitedMs: expect.any(Number),
      },
    });
    await expect(opening).rejects.toThrow(/the other one \(process \d+ on .*after waiting for 0\.\d seconds/);
    await holder.append([user('still mine')]);
  });

  it('lets the others go on when one of them gives up', async () => {
    await using bench = await open();
    const { store } = bench;
    const holder = await createSession(store, { id: 's' });
    const impatient = openSession(store, 's', { waitMs: 20 });
    const patient = openSession(store, 's', { waitMs: 60_000 });
    const also = openSession(store, 's', { waitMs: 40 });
    await expect(impatient).rejects.toMatchObject({ code: 'lease-held' });
    await expect(also).rejects.toMatchObject({ code: 'lease-held' });
    await holder.close();
    await (await patient).close();
  });

  it('stops waiting on abort', async () => {
    await using bench = await open();
    const { store } = bench;
    const holder = await createSession(store, { id: 's' });
    const stop = new AbortController();
    const waiting = openOrCreateSession(store, 's', { signal: stop.signal });
    stop.abort(new Error('the client is gone'));
    await expect(waiting).rejects.toMatchObject({
      code: 'cancelled',
      cause: { message: 'the client is gone' },
    });
    await expect(openOrCreateSession(store, 's', { signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await holder.close();
    await (await openOrCreateSession(store, 's')).close();
  });

  it('takes a dead holder over at once', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    const owner = { name: 'dead', host: 'elsewhere-in-time/no-boot', pid: 1, startedAt: '0' };
    const { hostname } = await import('node:os');
    await store.claimLease('s', {
      token: 't',
      owner: { ...owner, host: `${hostname()}/no-boot` },
      ttlMs: 600_000,
    });
    await (await openOrCreateSession(store, 's', { waitMs: 60_000 })).close();
  });

  it('does not wait for one that is only looked at', async () => {
    await using bench = await open();
    await using _holder = await createSession(bench.store, { id: 's' });
    for (const mode of ['read', 'join'] as const)
      await (await openOrCreateSession(bench.store, 's', { mode })).close();
  });

  it('fails with session-gone for a purged id', async () => {
    await using bench = await open();
    const { store } = bench;
    await request(store, 's', 'Hello');
    await trashSession(store, 's');
    await purgeSession(store, await getSession(store, 's'));
    await expect(openOrCreateSession(store, 's')).rejects.toMatchObject({ code: 'session-gone' });
    expect(await store.count()).toEqual({ active: 0, archived: 0, trashed: 0 });
  });

  it('takes a UUID in either case for one session', async () => {
    await using bench = await open();
    const { store } = bench;
    await Promise.all([UPPER, UPPER.toLowerCase(), UPPER].map((id, n) => request(store, id, `request ${n}`)));
    expect(await store.read(UPPER)).toHaveLength(3);
    expect((await store.count()).active).toBe(1);
  });
});

it('serves requests over two connections to one file, and none of them starves', async () => {
  await using bench = await openFile();
  const stores = [bench.store, await bench.connect()];
  const texts = Array.from({ length: 40 }, (_, n) => `request ${n}`);
  await Promise.all(texts.map((text, n) => request(stores[n % 2]!, 'user-ann', text)));
  expect(said(await bench.store.read('user-ann')).sort()).toEqual(texts.sort());
}, 60_000);

it('is woken when the lease is given back in this process, without another look at the store', async () => {
  await using bench = await openFile();
  const holder = await createSession(bench.store, { id: 's' });
  const held = await bench.store.lease('s');
  const looked = Promise.withResolvers<void>();
  const blind = {
    ...bench.store,
    async lease() {
      looked.resolve();
      return held;
    },
  };
  await holder.close();
  const first = await openSession(blind, 's');
  const waiting = openSession(blind, 's', { waitMs: 600_000 });
  await looked.promise;
  await first.close();
  await (await waiting).close();
});

it.each([1, 3])(
  'serves one request over another connection while those of %d clients of this one never end',
  async (count) => {
    await using bench = await openFile();
    const other = await bench.connect();
    await bench.store.create({ id: 's' });
    let isServed = false;
    const client = async () => {
      while (!isServed) await request(bench.store, 's', 'again');
    };
    const clients = Array.from({ length: count }, client);
    const started = performance.now();
    await request(other, 's', 'the other one').finally(() => {
      isServed = true;
    });
    await Promise.all(clients);
    // Its turn comes after a second or so, and not by luck when its 30 seconds are over.
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(said(await other.read('s'))).toContain('the other one');
  },
  120_000,
);
