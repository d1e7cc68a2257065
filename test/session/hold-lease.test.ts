import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSession, openSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';
import { startChild, tempFolder } from '../flows/child.ts';
import { changed } from './store-doubles.ts';
import { openFile, STORES, said } from './stores.ts';

const TTL_MS = 30_000;

describe.each(STORES)('a lease in a $kind store', ({ open }) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is lost to the next one who opens once it has expired', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    await using slow = await createSession(store, { id: 's' });
    await slow.append([user('a')]);
    clock.advance(TTL_MS - 1);
    await expect(openSession(store, 's')).rejects.toMatchObject({ code: 'lease-held' });
    clock.advance(1);
    await using quick = await openSession(store, 's', { owner: 'the next one' });
    await quick.append([user('b')]);
    await expect(slow.append([user('c')])).rejects.toMatchObject({
      code: 'lease-lost',
      details: { session: 's', holder: { name: 'the next one' } },
    });
    expect(slow.unsaved).toEqual([]);
    await slow.close();
    await quick.append([user('d')]);
    expect(said(await quick.read())).toEqual(['a', 'b', 'd']);
  });

  it('is taken from a live owner on request, and nothing is mixed', async () => {
    await using bench = await open();
    const { store } = bench;
    await using first = await createSession(store, { id: 's' });
    await first.append([user('a')]);
    await expect(openSession(store, 's', { takeOver: false })).rejects.toMatchObject({ code: 'lease-held' });
    const second = await openSession(store, 's', { owner: 'the second', takeOver: true });
    await expect(first.append([user('b')])).rejects.toMatchObject({
      code: 'lease-lost',
      details: { holder: { name: 'the second' } },
    });
    await second.append([user('c')]);
    await second.close();
    // The one who had it does not go on behind the other's back either.
    await expect(first.append([user('d')])).rejects.toMatchObject({ code: 'lease-lost' });
    expect(said(await first.read())).toEqual(['a', 'c']);
  });

  it('still serves a late writer when no other came', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    bench.clock.advance(10 * TTL_MS);
    await session.append([user('late')]);
  });

  it('is kept alive by its heartbeat, however long the session stays open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using bench = await open();
    const { store, clock } = bench;
    const session = await createSession(store, { id: 's' }, { leaseTtlMs: 3000 });
    for (let second = 0; second < 10; second++) {
      clock.advance(1000);
      await vi.advanceTimersByTimeAsync(1000);
      await expect(openSession(store, 's')).rejects.toMatchObject({ code: 'lease-held' });
    }
    await session.close();
    expect(vi.getTimerCount()).toBe(0);
    await (await openSession(store, 's')).close();
  });

  it('is not renewed by a writer who has closed, not even by a renewal that was under way', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using bench = await open();
    const gate = Promise.withResolvers<void>();
    let claims = 0;
    const claimLease =
      (original: Store['claimLease']): Store['claimLease'] =>
      async (...args) => {
        if (++claims > 1) await gate.promise;
        return original(...args);
      };
    const slow = changed(bench.store, { claimLease });
    const session = await createSession(slow, { id: 's' }, { leaseTtlMs: 3000 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(claims).toBe(2);
    const closing = session.close();
    gate.resolve();
    await closing;
    await (await openSession(bench.store, 's')).close();
  });

  it('finds by the head, not by chance, messages added while its owner slept', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using bench = await open();
    const { store, clock } = bench;
    await using sleeper = await createSession(store, { id: 's' }, { leaseTtlMs: 3000 });
    await sleeper.append([user('a')]);
    clock.advance(3000);
    const visitor = await openSession(store, 's');
    await visitor.append([user('b')]);
    await visitor.close();
    await vi.advanceTimersByTimeAsync(1000);
    await expect(sleeper.append([user('c')])).rejects.toMatchObject({ code: 'head-moved' });
    await sleeper.refresh();
    await sleeper.append([user('c')]);
    expect(said(await sleeper.read())).toEqual(['a', 'b', 'c']);
  });

  it('does not end the process when it cannot be renewed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using bench = await open();
    const session = await createSession(bench.store, { id: 's' }, { leaseTtlMs: 3000 });
    await bench.store[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(5000);
    await expect(session.append([user('a')])).rejects.toMatchObject({ code: 'store-closed' });
    await expect(session.close()).rejects.toMatchObject({ code: 'store-closed' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a lease of another process', () => {
  it('holds while that process lives, and is taken over at once when it was killed', async () => {
    await using bench = await openFile();
    const { store, file } = bench;
    await store.create({ id: 's' });
    const child = startChild('write-forever.ts', [file, 's']);
    await child.line('ready');
    await expect(openSession(store, 's')).rejects.toMatchObject({
      code: 'lease-held',
      details: { holder: { pid: child.process.pid } },
    });
    await using reader = await openSession(store, 's', { mode: 'read' });
    child.process.kill('SIGKILL');
    await child.ended;
    await using session = await openSession(store, 's');
    const [entry] = await session.append([user('after the kill')]);
    expect(entry?.seq).toBe((await reader.refresh()).head);
  });

  it('is taken over by one of many who find it dead', async () => {
    await using bench = await openFile();
    const { store, file } = bench;
    await store.create({ id: 's' });
    const child = startChild('write-forever.ts', [file, 's']);
    await child.line('ready');
    child.process.kill('SIGKILL');
    await child.ended;
    const stores = [store, await bench.connect(), await bench.connect(), await bench.connect()];
    const outcomes = await Promise.allSettled(stores.map((one) => openSession(one, 's')));
    const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(opened).toHaveLength(1);
    await opened[0]!.append([user('mine')]);
    await opened[0]!.close();
  });
});

describe('a process that leaves its sessions open', () => {
  it('ends when it has nothing left to do', async () => {
    using folder = tempFolder();
    const child = startChild('../session/leave-open.ts', [folder.file('store.db')]);
    expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect(child.lines).toEqual(['nothing left to do']);
  });
});
