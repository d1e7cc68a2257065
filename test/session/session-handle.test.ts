import { describe, expect, it } from 'vitest';
import { newEntryId } from '../../src/record/index.ts';
import { createSession, openSession, tagSession, titleSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { assistant, compaction, conversation, mark, setting, user } from '../../src/testing/index.ts';
import { changed } from './store-doubles.ts';
import { STORES, said } from './stores.ts';

describe.each(STORES)('appending through one handle to a $kind store', ({ open }) => {
  it('keeps the order in which it was asked, without waiting in between', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const texts = Array.from({ length: 60 }, (_, n) => `${n}`);
    const appended = await Promise.all(texts.map((text) => session.append([user(text)])));
    expect(said(await session.read())).toEqual(texts);
    expect(appended.map(([entry]) => entry?.seq)).toEqual(texts.map((_, n) => n + 1));
    expect(session.info).toEqual(await bench.store.session('s'));
  });

  it.each([user('a'), { body: user('a') }, 'a', undefined])(
    'refuses a value that is no list, as %j',
    async (entry) => {
      await using bench = await open();
      await using session = await createSession(bench.store, { id: 's' });
      await expect(session.append(entry as never)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('append([entry])'),
      });
      expect(await session.read()).toEqual([]);
    },
  );

  it.each([null, 5, 'a', {}, { body: null }, { id: 5, body: user('a') }])(
    'refuses a list item that is no entry, as %j',
    async (entry) => {
      await using bench = await open();
      await using session = await createSession(bench.store, { id: 's' });
      await expect(session.append([entry] as never)).rejects.toMatchObject({ code: 'entry-invalid' });
      expect(await session.read()).toEqual([]);
    },
  );

  it('answers a repeat with the first result, and refuses another body under the same id', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const entries = conversation(user('a'), assistant('b'));
    const first = await session.append(entries);
    await session.append([user('c')]);
    expect(await session.append(entries)).toEqual(first);
    expect(await session.append([...entries, { body: user('d') }])).toHaveLength(3);
    const other = session.append([{ id: entries[0]!.id!, body: user('not a') }]);
    await expect(other).rejects.toMatchObject({ code: 'entry-conflict' });
    await session.append([user('e')]);
    expect(said(await session.read())).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(session.info).toEqual(await bench.store.session('s'));
  });

  it('refuses a compaction that would hide later messages', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const said = session.append([user('a'), user('b')]);
    const early = session.append([compaction({ covers: { from: 1, to: 3 } })]);
    await said;
    await expect(early).rejects.toMatchObject({ code: 'entry-invalid' });
    const later = [session.append([user('c')]), session.append([compaction({ covers: { from: 1, to: 3 } })])];
    await Promise.all(later);
    await using other = await openSession(bench.store, 's', { mode: 'join' });
    await session.append([user('d'), user('e')]);
    await expect(other.append([compaction({ covers: { from: 5, to: 6 } })])).rejects.toMatchObject({
      code: 'lease-held',
    });
    expect(session.info.head).toBe(6);
  });

  it('goes on after an entry that was refused, and counts only written ones', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const bad = { kind: 'message', role: 'nobody', parts: [] } as never;
    const outcomes = await Promise.allSettled([
      session.append([user('a')]),
      session.append([user('not written either'), bad]),
      session.append([user('b')]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(said(await session.read())).toEqual(['a', 'b']);
    expect(session.unsaved).toEqual([]);
  });

  it('knows after every append what the log adds up to', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's', title: 'T' });
    const usage = { inputTokens: 10, outputTokens: 2, cost: 0.1 };
    await session.append([user('a'), assistant('b', { usage })]);
    const [pinned] = await session.append([user('long '.repeat(9000))]);
    expect(session.info).toEqual(await store.session('s'));
    await session.append([mark('pinned', pinned!.id), setting('tag', 'x'), setting('tag', 'x')]);
    expect(session.info).toEqual(await store.session('s'));
    await session.append([compaction({ covers: { from: 2, to: 3 } }), assistant('c', { usage })]);
    expect(session.info).toEqual(await store.session('s'));
    await session.append([]);
    expect(session.info).toEqual(await store.session('s'));
  });

  it('gives every entry an id and the time of the handle, or those of the caller', async () => {
    await using bench = await open();
    const now = () => 1_700_000_000_000;
    await using session = await createSession(bench.store, { id: 's' }, { now });
    const id = newEntryId();
    const entries = await session.append([user('a'), { id, at: 5, body: user('b') }]);
    expect(entries.map(({ at }) => at)).toEqual([now(), 5]);
    expect(entries[1]!.id).toBe(id);
  });
});

describe.each(STORES)('the head of a session in a $kind store', ({ open }) => {
  it('is as the caller expects it, or nothing is written', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    await session.append([user('a')], { expectedHead: 0 });
    await expect(session.append([user('b')], { expectedHead: 0 })).rejects.toMatchObject({
      code: 'head-moved',
      details: { session: 's', expectedHead: 0, head: 1 },
    });
    await tagSession(bench.store, 's', 'x');
    await expect(session.append([user('b')], { expectedHead: 1 })).rejects.toMatchObject({
      code: 'head-moved',
    });
    await session.append([user('b')], { expectedHead: 2 });
    expect(said(await session.read())).toEqual(['a', 'tag=x', 'b']);
  });

  it('may be moved by the marks and settings of others: the writer goes on behind them', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    const [first] = await session.append([user('a')]);
    await tagSession(store, 's', 'x', 'y');
    await session.append([assistant('b')]);
    await titleSession(store, 's', 'A title');
    await using other = await openSession(store, 's', { mode: 'join' });
    await other.append([mark('pinned', first!.id)]);
    await Promise.all([
      session.append([user('c')]),
      tagSession(store, 's', 'z'),
      session.append([user('d')]),
    ]);
    expect(said(await session.read({ only: 'messages' }))).toEqual(['a', 'b', 'c', 'd']);
    await session.refresh();
    expect(session.info).toEqual(await store.session('s'));
    expect(session.info.state.tags).toEqual(['x', 'y', 'z']);
  });

  it('was moved by messages of others: the writer gets an error, and may go on after reading them', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    await using session = await createSession(store, { id: 's' });
    await session.append([user('a')]);
    clock.advance(60_000);
    await store.append('s', conversation(setting('tag', 'x'), user('somebody else'), setting('tag', 'y')));
    for (const text of ['b', 'c']) {
      await expect(session.append([user(text)])).rejects.toMatchObject({ code: 'head-moved' });
    }
    expect((await session.refresh()).head).toBe(4);
    await session.append([user('b')]);
    expect(said(await session.read({ only: 'messages' }))).toEqual(['a', 'somebody else', 'b']);
  });

  it('does not matter to those who only join', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    await using session = await openSession(store, 's', { mode: 'join' });
    await store.append('s', conversation(user('somebody else')));
    await session.append([user('a')]);
    expect(session.info).toEqual(await store.session('s'));
  });

  it('never goes back to an older one when a refresh is answered late', async () => {
    await using bench = await open();
    const gate = Promise.withResolvers<void>();
    let late = false;
    const session =
      (original: Store['session']): Store['session'] =>
      async (id) => {
        const info = await original(id);
        if (late) await gate.promise;
        return info;
      };
    const store = changed(bench.store, { session });
    await using handle = await createSession(store, { id: 's' });
    late = true;
    const refreshing = handle.refresh();
    await handle.append([user('a')]);
    late = false;
    gate.resolve();
    expect((await refreshing).head).toBe(1);
    await handle.append([user('b')]);
    expect(handle.info).toEqual(await bench.store.session('s'));
  });

  it('is known after a repeat and a new entry with a note of another process in between', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    await using session = await openSession(store, 's', { mode: 'join' });
    const [repeat] = conversation(setting('tag', 'x'));
    await store.append('s', [repeat!]);
    await tagSession(store, 's', 'y');
    await session.append([repeat!, { body: user('a') }]);
    expect(session.info).toEqual(await store.session('s'));
    await session.append([user('b')]);
  });

  it('is refused to handles of a purged session', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    await using session = await createSession(store, { id: 's' });
    clock.advance(60_000);
    await store.purge('s');
    await expect(session.append([user('a')])).rejects.toMatchObject({ code: 'session-gone' });
    await expect(session.refresh()).rejects.toThrow('was purged on');
  });
});
