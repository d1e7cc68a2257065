import { describe, expect, it } from 'vitest';
import { ThroughlineError } from '../../src/errors.ts';
import { createSession, openSession, tagSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { changed } from './store-doubles.ts';
import { STORES, said } from './stores.ts';

describe.each(STORES)('opening a session of a $kind store', ({ open }) => {
  it('goes on where it was left', async () => {
    await using bench = await open();
    const { store } = bench;
    const first = await createSession(store, { id: 's', title: 'Plans' });
    await first.append([user('a'), assistant('b')]);
    const left = first.info;
    await first.close();
    await using session = await openSession(store, 's');
    expect(session.info).toEqual(left);
    const [entry] = await session.append([user('c')]);
    expect(entry?.seq).toBe(left.head + 1);
  });

  it('is by one writer at a time, and tells the second who that is', async () => {
    await using bench = await open();
    const { store } = bench;
    await using first = await createSession(store, { id: 's' }, { owner: 'editor' });
    const second = openSession(store, 's', { owner: 'terminal' });
    await expect(second).rejects.toMatchObject({
      code: 'lease-held',
      details: { session: 's', holder: { name: 'editor', pid: process.pid } },
    });
    await expect(second).rejects.toThrow(`editor (process ${process.pid} on `);
    await first.append([user('still mine')]);
  });

  it('lets one of many win who open it at once', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openSession(store, 's')));
    const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(opened).toHaveLength(1);
    await opened[0]!.close();
    await (await openSession(store, 's')).close();
  });

  it('is possible again as soon as the writer has closed, also twice', async () => {
    await using bench = await open();
    const { store } = bench;
    const first = await createSession(store, { id: 's' });
    await first.close();
    await first.close();
    await using second = await openSession(store, 's');
    await first.close();
    await second.append([user('mine')]);
    await expect(first.append([user('too late')])).rejects.toMatchObject({ code: 'lease-lost' });
    expect(said(await second.read())).toEqual(['mine']);
  });

  it('to read needs no lease and appends nothing', async () => {
    await using bench = await open();
    const { store } = bench;
    await using writer = await createSession(store, { id: 's' });
    await using reader = await openSession(store, 's', { mode: 'read' });
    await writer.append([user('a')]);
    expect(said(await reader.read())).toEqual(['a']);
    expect([reader.info.head, (await reader.refresh()).head, reader.info.head]).toEqual([0, 1, 1]);
    await expect(reader.append([user('b')])).rejects.toMatchObject({ code: 'usage' });
    await expect(reader.append([user('b')])).rejects.toThrow('read-only');
    await reader.close();
    await writer.append([user('c')]);
  });

  it('to join appends without a lease while it is free, and notes at any time', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    await using left = await openSession(store, 's', { mode: 'join' });
    await using right = await openSession(store, 's', { mode: 'join' });
    await left.append([user('a')]);
    await right.append([user('b')]);
    await left.append([user('c')]);
    expect(said(await right.read())).toEqual(['a', 'b', 'c']);
    await using writer = await openSession(store, 's');
    await expect(left.append([user('d')])).rejects.toMatchObject({ code: 'lease-held' });
    await tagSession(store, 's', 'x');
    await writer.append([user('d')]);
    expect(said(await right.read())).toEqual(['a', 'b', 'c', 'tag=x', 'd']);
  });

  it('sees messages added between finding it and holding it', async () => {
    await using bench = await open();
    await bench.store.create({ id: 's' });
    const claimLease =
      (original: Store['claimLease']): Store['claimLease'] =>
      async (...args) => {
        await bench.store.append('s', [{ body: user('just before') }]);
        return original(...args);
      };
    await using session = await openSession(changed(bench.store, { claimLease }), 's');
    expect(session.info.head).toBe(1);
    await session.append([user('after')]);
  });

  it('leaves no lease behind when it fails half-way', async () => {
    await using bench = await open();
    await bench.store.create({ id: 's' });
    let calls = 0;
    const session =
      (original: Store['session']): Store['session'] =>
      async (id) => {
        if (++calls > 1) throw new ThroughlineError('store-busy', 'Too busy to read it again.');
        return original(id);
      };
    const opening = openSession(changed(bench.store, { session }), 's');
    await expect(opening).rejects.toMatchObject({ code: 'store-busy' });
    await (await openSession(bench.store, 's')).close();
  });

  it('does not open what it cannot find, nor makes it up', async () => {
    await using bench = await open();
    await expect(openSession(bench.store, 'nowhere')).rejects.toMatchObject({ code: 'session-not-found' });
    expect(await bench.store.count()).toMatchObject({ active: 0 });
  });
});

describe.each(STORES)('reading through the handle of a session of a $kind store', ({ open }) => {
  it('pages through all entries, or a range of them, in order', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    await session.append(Array.from({ length: 450 }, (_, n) => user(`${n + 1}`)));
    const seqs = async (range?: Parameters<typeof session.entries>[0]) => {
      const found: number[] = [];
      for await (const { seq } of session.entries(range)) found.push(seq);
      return found;
    };
    const all = Array.from({ length: 450 }, (_, n) => n + 1);
    expect(await seqs()).toEqual(all);
    expect(await seqs({ after: 10, upTo: 410 })).toEqual(all.slice(10, 410));
    expect(await seqs({ after: 50, upTo: 250 })).toEqual(all.slice(50, 250));
    expect(await seqs({ only: 'notes' })).toEqual([]);
    expect(await seqs({ after: 450 })).toEqual([]);
  });

  it('finds one entry, and puts large values back in place', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const text = 'a long text '.repeat(5000);
    const [entry] = await session.append([user(text)]);
    expect(await session.entry(entry!.id)).toEqual(entry);
    expect(entry!.body).not.toEqual(user(text));
    expect((await session.whole(entry!)).body).toEqual(user(text));
    const unknown = '00000000-0000-7000-8000-000000000000';
    await expect(session.entry(unknown)).rejects.toMatchObject({
      code: 'entry-not-found',
      details: { session: 's', entry: unknown },
    });
  });

  it.each([
    ['something behind it', (id: string) => `${id}zz`],
    ['no dashes', (id: string) => id.replaceAll('-', '')],
    ['only its start', (id: string) => id.slice(0, 8)],
  ])('knows no entry by its id with %s', async (_, spoil) => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const [entry] = await session.append([user('a')]);
    await expect(session.entry(spoil(entry!.id))).rejects.toMatchObject({ code: 'entry-not-found' });
  });
});
