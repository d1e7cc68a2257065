import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/record/index.ts';
import { createSession, tagSession, watchSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { conversation, setting, user } from '../../src/testing/index.ts';
import { startChild } from '../flows/child.ts';
import { changed } from './store-doubles.ts';
import { openFile, STORES, said } from './stores.ts';

const texts = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `${from + n}`);
const bodies = (from: number, to: number) => conversation(...texts(from, to).map((text) => user(text)));

/** The next `count` entries of a watch. */
async function next(watch: AsyncGenerator<Entry>, count: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  while (entries.length < count) {
    const { value, done } = await watch.next();
    if (done) break;
    entries.push(value);
  }
  return entries;
}

describe.each(STORES)('watching a session of a $kind store', ({ open }) => {
  it('gives stored entries and then new ones, in order and once', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    await session.append(bodies(1, 3));
    const watch = watchSession(store, 's');
    expect(said(await next(watch, 3))).toEqual(['1', '2', '3']);
    const coming = next(watch, 3);
    await session.append(bodies(4, 4));
    await tagSession(store, 's', 'x');
    await session.append(bodies(5, 5));
    expect(said(await coming)).toEqual(['4', 'tag=x', '5']);
    await watch.return(undefined);
  });

  it.each([0, 1, 4, 5, 7])('goes on after a disconnect from number %i', async (after) => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' }, bodies(1, 5));
    const watch = watchSession(store, 's', { after });
    const coming = next(watch, 9 - after);
    await store.append('s', bodies(6, 9));
    expect((await coming).map(({ seq }) => seq)).toEqual(texts(after + 1, 9).map(Number));
    await watch.return(undefined);
  });

  it('keeps up with many entries at once', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' }, bodies(1, 450));
    const watch = watchSession(store, 's');
    const coming = next(watch, 1250);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => store.append('s', bodies(451 + n * 20, 470 + n * 20))),
    );
    expect(said(await coming)).toEqual(texts(1, 1250));
    await watch.return(undefined);
  });

  it('misses nothing that is appended between looking and waiting', async () => {
    await using bench = await open();
    await bench.store.create({ id: 's' }, bodies(1, 1));
    let written = 1;
    const read =
      (original: Store['read']): Store['read'] =>
      async (...args) => {
        const entries = await original(...args);
        if (written < 20) await bench.store.append('s', bodies(++written, written));
        return entries;
      };
    const watch = watchSession(changed(bench.store, { read }), 's');
    expect(said(await next(watch, 20))).toEqual(texts(1, 20));
    await watch.return(undefined);
  });

  it('sees a fork with all that it shares, and nothing that its parent says later', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 'p' }, bodies(1, 3));
    await store.create({ id: 'f', parent: { session: 'p', relation: 'fork', seq: 2 } });
    const watch = watchSession(store, 'f', { after: 1 });
    expect(said(await next(watch, 1))).toEqual(['2']);
    const coming = next(watch, 1);
    await store.append('p', conversation(user('of the parent')));
    await store.append('f', conversation(user('of the fork')));
    expect(said(await coming)).toEqual(['of the fork']);
    await watch.return(undefined);
  });

  it('ends when it is aborted: before it begins, while it waits, and while it gives', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' }, bodies(1, 3));
    expect(await next(watchSession(store, 's', { signal: AbortSignal.abort() }), 1)).toEqual([]);

    const giving = new AbortController();
    const seen: string[] = [];
    for await (const entry of watchSession(store, 's', { signal: giving.signal })) {
      seen.push(...said([entry]));
      if (seen.length === 2) giving.abort();
    }
    expect(seen).toEqual(['1', '2']);

    const waiting = new AbortController();
    const watch = watchSession(store, 's', { after: 3, signal: waiting.signal });
    const end = watch.next();
    await store.append('s', conversation(setting('tag', 'x')));
    expect((await end).value).toMatchObject({ seq: 4 });
    const nothing = watch.next();
    waiting.abort();
    expect(await nothing).toEqual({ done: true, value: undefined });
  });

  it('leaves no listener behind', async () => {
    await using bench = await open();
    await bench.store.create({ id: 's' }, bodies(1, 3));
    let listeners = 0;
    const onChange =
      (original: Store['onChange']): Store['onChange'] =>
      (listener) => {
        listeners++;
        const stop = original(listener);
        return () => {
          listeners--;
          stop();
        };
      };
    const store = changed(bench.store, { onChange });
    for await (const { seq } of watchSession(store, 's')) if (seq === 2) break;
    const abort = new AbortController();
    const watch = watchSession(store, 's', { signal: abort.signal, after: 3 });
    const end = watch.next();
    expect(listeners).toBe(1);
    abort.abort();
    await end;
    await expect(next(watchSession(store, 'nowhere'), 1)).rejects.toMatchObject({
      code: 'session-not-found',
    });
    expect(listeners).toBe(0);
  });

  it('fails when the session was purged', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' }, bodies(1, 1));
    const watch = watchSession(store, 's');
    await next(watch, 1);
    const end = watch.next();
    await store.purge('s');
    await expect(end).rejects.toMatchObject({ code: 'session-gone' });
  });
});

describe('watching a session in a file that others write to', () => {
  it('gives what another connection appends, and its own, each once and in order', async () => {
    await using bench = await openFile();
    const other = await bench.connect();
    await bench.store.create({ id: 's' });
    const watch = watchSession(bench.store, 's');
    const coming = next(watch, 60);
    for (let n = 1; n <= 60; n += 3) {
      await other.append('s', bodies(n, n + 1));
      await bench.store.append('s', bodies(n + 2, n + 2));
    }
    expect(said(await coming)).toEqual(texts(1, 60));
    await watch.return(undefined);
  });

  it('fails when the store is closed, instead of waiting for ever', async () => {
    await using bench = await openFile();
    await bench.store.create({ id: 's' }, bodies(1, 1));
    const watch = watchSession(bench.store, 's');
    await next(watch, 1);
    const end = expect(watch.next()).rejects.toMatchObject({ code: 'store-closed' });
    await bench.store[Symbol.asyncDispose]();
    await end;
  });

  it('gives what another process appends', async () => {
    await using bench = await openFile();
    await bench.store.create({ id: 's' });
    const watch = watchSession(bench.store, 's');
    const coming = next(watch, 50);
    const child = startChild('append-many.ts', [bench.file, 's', '50', 'child']);
    const seen = (await coming).map(({ id }) => `s ${id}`);
    expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
    expect(seen).toEqual(child.lines);
    await watch.return(undefined);
  });
});
