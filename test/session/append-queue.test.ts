import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, ThroughlineError } from '../../src/errors.ts';
import { createSession, openSession, type Session } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { assistant, conversation, user } from '../../src/testing/index.ts';
import { type Refusal, refusingAppends } from './store-doubles.ts';
import { STORES, said } from './stores.ts';

const NOT_SAVED = { code: 'not-saved' };

/** A session on a disk that refuses the next `left` appends. */
async function onBadDisk(
  good: Store,
  options: { left: number; code?: ErrorCode },
): Promise<{ session: Session; refusal: Refusal }> {
  await good.create({ id: 's' });
  const { store, refusal } = refusingAppends(good, options);
  return { session: await openSession(store, 's'), refusal };
}

const textsOf = (session: Session) =>
  session.unsaved.map(({ body }) => (body.kind === 'message' ? body.parts[0]?.text : body.kind));

describe.each(STORES)('a session of a $kind store whose disk refuses', ({ open }) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(['store-full', 'store-unwritable', 'store-busy'] as const)(
    'says that it is not being saved and keeps the entries: %s',
    async (code) => {
      await using bench = await open();
      const { session, refusal } = await onBadDisk(bench.store, { left: 2, code });
      const failing = session.append([user('a'), assistant('b')]);
      await expect(failing).rejects.toMatchObject({
        ...NOT_SAVED,
        cause: { code },
        details: { session: 's', unsaved: 2 },
      });
      await expect(failing).rejects.toThrow('"s" is not being saved: 2 entries are only in memory');
      await expect(session.append([user('c')])).rejects.toMatchObject({ details: { unsaved: 3 } });
      expect(textsOf(session)).toEqual(['a', 'b', 'c']);
      expect(await session.read()).toEqual([]);
      refusal.left = 0;
      await session.close();
    },
  );

  it('writes everything in order, once, as soon as an append goes through', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 3 });
    for (const text of ['a', 'b', 'c']) {
      await expect(session.append([user(text)])).rejects.toMatchObject(NOT_SAVED);
    }
    const ids = session.unsaved.map(({ id }) => id);
    const [entry] = await session.append([user('d')]);
    expect(said([entry!])).toEqual(['d']);
    const entries = await session.read();
    expect(said(entries)).toEqual(['a', 'b', 'c', 'd']);
    expect(entries.slice(0, 3).map(({ id }) => id)).toEqual(ids);
    expect(session.unsaved).toEqual([]);
    expect(session.info).toEqual(await bench.store.session('s'));
    await session.close();
  });

  it('keeps the order of appends that were asked for all at once', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 7 });
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`);
    const outcomes = await Promise.allSettled(texts.map((text) => session.append([user(text)])));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(7);
    expect(said(await session.read())).toEqual(texts);
    await session.close();
  });

  it('writes them automatically after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 3 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    const written = new Promise<void>((resolve) => {
      bench.store.onChange(() => resolve());
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(textsOf(session)).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(2000);
    await written;
    await session.flush();
    expect([said(await session.read()), session.unsaved]).toEqual([['a'], []]);
    await session.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('writes them when asked, or says that it still cannot', async () => {
    await using bench = await open();
    const { session, refusal } = await onBadDisk(bench.store, { left: 2 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    await expect(session.flush()).rejects.toMatchObject({ details: { unsaved: 1 } });
    expect(refusal.left).toBe(0);
    await session.flush();
    await session.flush();
    expect([said(await session.read()), session.unsaved]).toEqual([['a'], []]);
    await session.close();
  });

  it('does not repeat entries that were written although the disk reported an error', async () => {
    await using bench = await open();
    await bench.store.create({ id: 's' });
    let lies = 2;
    const { store } = refusingAppends(bench.store, { left: 0 });
    const lying: Store = {
      ...store,
      async append(...args) {
        const written = await store.append(...args);
        if (lies-- > 0) throw new ThroughlineError('store-full', 'The disk was full, it says.');
        return written;
      },
    };
    await using session = await openSession(lying, 's');
    await expect(session.append([user('a'), user('b')])).rejects.toMatchObject(NOT_SAVED);
    await expect(session.append([{ body: user('c') }])).rejects.toMatchObject(NOT_SAVED);
    await session.append([user('d')]);
    expect(said(await session.read())).toEqual(['a', 'b', 'c', 'd']);
    expect(session.info).toEqual(await bench.store.session('s'));
  });

  it('gives every waiting entry an id, whatever the caller left out', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 1 });
    const bare = { id: undefined, at: undefined, body: user('a') } as never;
    await expect(session.append([bare])).rejects.toMatchObject(NOT_SAVED);
    const [waiting] = session.unsaved;
    expect(waiting).toEqual({ id: expect.any(String), at: expect.any(Number), body: user('a') });
    await session.flush();
    expect((await session.read())[0]).toMatchObject(waiting!);
    await session.close();
  });

  it('saves waiting entries even when the next entry cannot be saved', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 1 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    await expect(session.append([{ kind: 'nothing' } as never])).rejects.toMatchObject({
      code: 'entry-invalid',
    });
    expect([said(await session.read()), session.unsaved]).toEqual([['a'], []]);
    await session.close();
  });

  it('says which of them it keeps: not the one that depends on the head', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 2 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    const asked = session.append([user('b')], { expectedHead: session.info.head });
    await expect(asked).rejects.toMatchObject({
      ...NOT_SAVED,
      message: expect.stringMatching(/is not kept: ask/),
    });
    expect(textsOf(session)).toEqual(['a']);
    await session.flush();
    expect(said(await session.read())).toEqual(['a']);
    await session.close();
  });

  it('holds an append to the head it names, also behind entries that had to wait', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 1 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    const stale = session.append([user('b')], { expectedHead: 0 });
    await expect(stale).rejects.toMatchObject({ code: 'head-moved' });
    await session.append([user('b')], { expectedHead: 1 });
    expect(said(await session.read())).toEqual(['a', 'b']);
    await session.close();
  });

  it('lets other failures through and keeps nothing of them', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 1, code: 'store-damaged' });
    await expect(session.append([user('a')])).rejects.toMatchObject({ code: 'store-damaged' });
    expect(session.unsaved).toEqual([]);
    await session.append(conversation(user('b')));
    await session.close();
  });
});

describe.each(STORES)('closing a session of a $kind store whose disk refuses', ({ open }) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes what waits', async () => {
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 1 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    await session.close();
    expect(said(await bench.store.read('s'))).toEqual(['a']);
  });

  it('says so when it cannot, loses nothing, and can be done again', async () => {
    await using bench = await open();
    const { session, refusal } = await onBadDisk(bench.store, { left: Number.POSITIVE_INFINITY });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    await expect(session.close()).rejects.toMatchObject(NOT_SAVED);
    await expect(session.close()).rejects.toMatchObject(NOT_SAVED);
    expect(textsOf(session)).toEqual(['a']);
    await expect(openSession(bench.store, 's')).rejects.toMatchObject({ code: 'lease-held' });
    refusal.left = 0;
    await session.close();
    await using next = await openSession(bench.store, 's');
    expect(said(await next.read())).toEqual(['a']);
  });

  it('gives the session back automatically once the waiting entries are written', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 2 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    await expect(session.close()).rejects.toMatchObject(NOT_SAVED);
    await vi.advanceTimersByTimeAsync(1000);
    await session.flush();
    await expect.poll(() => openSession(bench.store, 's').then((next) => next.close())).toBeUndefined();
    expect(said(await bench.store.read('s'))).toEqual(['a']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends, with the reason, when another process has taken the session', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await using bench = await open();
    const { session } = await onBadDisk(bench.store, { left: 1 });
    await expect(session.append([user('a')])).rejects.toMatchObject(NOT_SAVED);
    bench.clock.advance(60_000);
    await using next = await createTakeover(bench.store);
    await expect(session.close()).rejects.toMatchObject({ code: 'lease-lost' });
    expect(textsOf(session)).toEqual(['a']);
    await next.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

async function createTakeover(store: Store): Promise<Session> {
  const session = await openSession(store, 's', { owner: 'somebody else' });
  await session.append([user('mine')]);
  return session;
}

it('has nothing to do with sessions whose disk is well', async () => {
  const { open } = STORES[0]!;
  await using bench = await open();
  const session = await createSession(bench.store);
  await session.append([user('a')]);
  expect(session.unsaved).toEqual([]);
  await session.flush();
  await session.close();
});
