import { describe, expect, it } from 'vitest';
import { newEntryId, placeOf, titleOf } from '../../src/record/index.ts';
import {
  createSession,
  forkSession,
  hideSession,
  openSession,
  tagSession,
  titleSession,
  trashSession,
} from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { assistant, conversation, setting, user } from '../../src/testing/index.ts';
import { STORES, said } from './stores.ts';

/** `p` says a b c d. */
async function parent(store: Store) {
  return store.create({ id: 'p' }, conversation(user('a'), assistant('b'), user('c'), assistant('d')));
}

describe.each(STORES)('a fork in a $kind store', ({ open }) => {
  it('starts at the newest entry, or at any other by number or id', async () => {
    await using bench = await open();
    const { store } = bench;
    const info = await parent(store);
    expect(said(await store.read((await forkSession(store, info)).id))).toEqual(['a', 'b', 'c', 'd']);
    const entries = await store.read('p');
    for (const { id, seq } of entries) {
      const expected = ['a', 'b', 'c', 'd'].slice(0, seq);
      for (const at of [seq, id]) {
        const fork = await forkSession(store, info, { at });
        expect(fork).toMatchObject({ head: seq, parent: { session: 'p', relation: 'fork', seq } });
        expect(said(await store.read(fork.id))).toEqual(expected);
      }
    }
    expect((await forkSession(store, info, { at: 0 })).head).toBe(0);
  });

  it.each([
    ['a number that is not reached', 5],
    ['a number below the first', -1],
    ['a number that is no whole one', 1.5],
    ['no number at all', Number.NaN],
    ['an id that is not there', newEntryId()],
    ['no id at all', 'b'],
    ['nothing', ''],
    ['an id in upper case', 'ABCDEF01-0000-7000-8000-000000000000'],
  ])('does not start at %s', async (_, at) => {
    await using bench = await open();
    const { store } = bench;
    const info = await parent(store);
    await expect(forkSession(store, info, { at, id: 'f' })).rejects.toMatchObject({
      code: 'entry-not-found',
    });
    expect(await store.session('f')).toBeUndefined();
  });

  it('leaves its parent as it was, while both go on', async () => {
    await using bench = await open();
    const { store } = bench;
    await parent(store);
    await using left = await openSession(store, 'p');
    const before = { info: left.info, entries: await left.read() };
    const { id } = await forkSession(store, left.info, { at: 2, id: 'f', title: 'Other way' });
    await using right = await openSession(store, id);
    await right.append([user('e'), setting('model', 'large')]);
    await trashSession(store, id);
    expect({ info: await store.session('p'), entries: await store.read('p') }).toEqual(before);
    await left.append([user('f')]);
    expect(said(await right.read({ only: 'messages' }))).toEqual(['a', 'b', 'e']);
    expect(said(await left.read())).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('can be made of a session that is being written, and is written by another process', async () => {
    await using bench = await open();
    const { store } = bench;
    await using writer = await createSession(store, { id: 's' });
    await writer.append([user('a')]);
    await expect(openSession(store, 's')).rejects.toMatchObject({ code: 'lease-held' });
    await using other = await openSession(store, (await forkSession(store, writer.info)).id);
    await Promise.all([writer.append([assistant('left')]), other.append([assistant('right')])]);
    expect(said(await writer.read())).toEqual(['a', 'left']);
    expect(said(await other.read())).toEqual(['a', 'right']);
  });

  it('keeps the title, tags and settings of that moment, or gets a new title', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 'p', title: 'First', agent: 'sally' });
    await session.append([user('a')]);
    await tagSession(store, 'p', 'x');
    const { head } = await session.refresh();
    await titleSession(store, 'p', 'Second');
    await tagSession(store, 'p', 'y');
    await session.refresh();
    const early = await forkSession(store, session.info, { at: head });
    expect([titleOf(early.state), early.state.tags]).toEqual(['First', ['x']]);
    expect(early.state.settings.agent).toBe('sally');
    expect(early.id).toMatch(/^sally_/);
    const late = await forkSession(store, session.info, { title: 'Mine' });
    expect([titleOf(late.state), late.state.tags]).toEqual(['Mine', ['x', 'y']]);
    await titleSession(store, late.id, 'By the host', { by: 'host' });
    expect(titleOf((await store.session(late.id))!.state)).toBe('Mine');
    expect(titleOf((await store.session('p'))!.state)).toBe('Second');
  });

  it.each([
    ['archived', hideSession],
    ['trashed', trashSession],
  ])('is active when its parent is %s', async (place, putAway) => {
    await using bench = await open();
    const { store } = bench;
    await parent(store);
    await putAway(store, 'p');
    const info = (await store.session('p'))!;
    expect(placeOf(info.state)).toBe(place);
    for (const at of [undefined, 2, info.head]) {
      const fork = await forkSession(store, info, at === undefined ? {} : { at });
      expect(placeOf(fork.state)).toBe('active');
      expect(placeOf((await forkSession(store, fork)).state)).toBe('active');
    }
  });

  it('can itself be forked, before, at and after the point where it began', async () => {
    await using bench = await open();
    const { store } = bench;
    const fork = await forkSession(store, await parent(store), { at: 2, id: 'f' });
    await store.append('f', conversation(user('e'), assistant('f')));
    const grown = (await store.session('f'))!;
    const seen = async (at: number) => {
      const { id } = await forkSession(store, grown, { at });
      await store.append(id, conversation(user('new')));
      return said(await store.read(id));
    };
    expect(await seen(1)).toEqual(['a', 'new']);
    expect(await seen(fork.head)).toEqual(['a', 'b', 'new']);
    expect(await seen(3)).toEqual(['a', 'b', 'e', 'new']);
    expect(await seen(4)).toEqual(['a', 'b', 'e', 'f', 'new']);
    const [c] = await store.read('p', { after: 2, limit: 1 });
    await expect(forkSession(store, grown, { at: c!.id })).rejects.toMatchObject({ code: 'entry-not-found' });
  });

  it('has its own age, id and bill', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    const usage = { inputTokens: 10, outputTokens: 5 };
    await store.create({ id: 'p' }, conversation(user('a'), assistant('b', { usage })));
    clock.advance(5000);
    const fork = await forkSession(store, (await store.session('p'))!, { now: clock.now });
    expect(fork).toMatchObject({
      createdAt: clock.now(),
      usage: { inputTokens: 0, outputTokens: 0 },
      totals: { messages: 2, queries: 1 },
    });
    expect(fork.id).toMatch(/^fork_\d{8}_\d{6}$/);
    const twin = await forkSession(store, (await store.session('p'))!, { now: clock.now });
    expect(twin.id).toBe(fork.id.replace('fork_', 'fork_b_'));
  });
});
