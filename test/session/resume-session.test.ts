import { describe, expect, it } from 'vitest';
import { placeOf, titleOf } from '../../src/record/index.ts';
import {
  createSession,
  hideSession,
  openSession,
  resumeSession,
  type Session,
  tagSession,
} from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import {
  assistant,
  compaction,
  conversation,
  mark,
  restoration,
  setting,
  summaryOf,
  user,
} from '../../src/testing/index.ts';
import { STORES, said } from './stores.ts';

/** Closes a conversation with a summary of everything said in it. */
async function closeWithSummary(session: Session, summary: string): Promise<void> {
  await session.append([compaction({ covers: { from: 1, to: session.info.head }, summary })]);
  await session.close();
}

/** A parent `p` that says a b and was closed with a summary. */
async function closedParent(store: Store, birth: Parameters<typeof createSession>[1] = {}) {
  const session = await createSession(store, { id: 'p', ...birth });
  await session.append([user('a'), assistant('b')]);
  await closeWithSummary(session, 'a and b');
  return (await store.session('p'))!;
}

describe.each(STORES)('resuming a session of a $kind store', ({ open }) => {
  it('starts a new one with the summary of the old one, first of all', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    const parent = await closedParent(store);
    clock.advance(1000);
    await using session = await resumeSession(store, parent, { now: clock.now });
    const [first] = await session.read();
    expect(first).toMatchObject({
      seq: 1,
      body: {
        kind: 'restoration',
        parent: 'p',
        summary: summaryOf('a and b'),
        queries: 1,
        tokens: parent.totals.tokens,
      },
    });
    expect(session.info).toMatchObject({
      parent: { session: 'p', relation: 'resume', seq: parent.head },
      createdAt: clock.now(),
      totals: { messages: 0, queries: 0, tokens: 0 },
    });
    expect(await session.read({ only: 'messages' })).toEqual([]);
    expect(await store.session('p')).toEqual(parent);
  });

  it('knows its parent only, never what that one came from', async () => {
    await using bench = await open();
    const { store } = bench;
    let parent = await closedParent(store);
    for (let n = 1; n <= 3; n++) {
      const session = await resumeSession(store, parent, { birth: { id: `r${n}` } });
      expect(said(await session.read()).filter((text) => text.startsWith('['))).toEqual([
        n === 1 ? '[a and b]' : `[only ${n - 1}]`,
      ]);
      await session.append([user(`question ${n}`)]);
      await closeWithSummary(session, `only ${n}`);
      parent = (await store.session(`r${n}`))!;
    }
    expect(parent.parent).toMatchObject({ session: 'r2' });
  });

  it('brings title, tags and settings along, but not the archive', async () => {
    await using bench = await open();
    const { store } = bench;
    await closedParent(store, {
      title: 'Mine',
      tags: ['x'],
      agent: 'sally',
      project: 'p1',
      settings: { model: 'small' },
    });
    await tagSession(store, 'p', 'y');
    await hideSession(store, 'p');
    await using session = await resumeSession(store, (await store.session('p'))!);
    const { state } = session.info;
    expect(state).toMatchObject({
      title: { text: 'Mine (2)', by: 'user' },
      tags: ['x', 'y'],
      settings: { agent: 'sally', project: 'p1', model: 'small' },
    });
    expect(placeOf(state)).toBe('active');
    expect(session.id).toMatch(/^sally_/);
  });

  it('numbers the links of a chain and the siblings among them, so that no two titles are alike', async () => {
    await using bench = await open();
    const { store } = bench;
    const parent = await closedParent(store, { title: 'Mine' });
    const summary = summaryOf('s');
    await using second = await resumeSession(store, parent, { summary });
    await using sibling = await resumeSession(store, parent, { summary });
    await using third = await resumeSession(store, await second.refresh(), { summary });
    const titles = [second, sibling, third].map(({ info }) => titleOf(info.state));
    expect(titles).toEqual(['Mine (2)', 'Mine (3)', 'Mine (4)']);
  });

  it('calls an untitled one by its own first question, until it is given a title', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await resumeSession(store, await closedParent(store));
    expect(titleOf(session.info.state)).toBe('');
    await session.append([user('something else')]);
    expect(titleOf(session.info.state)).toBe('something else');
    await session.append([setting('title', 'By the host', 'host')]);
    expect(titleOf(session.info.state)).toBe('By the host');
  });

  it('may go on with another agent, other settings and an id of choice', async () => {
    await using bench = await open();
    const { store } = bench;
    const parent = await closedParent(store, { agent: 'sally', settings: { model: 'small', mode: 'fast' } });
    const birth = { id: 'mine', agent: 'henry', settings: { model: 'large', mode: null } };
    await using session = await resumeSession(store, parent, { birth });
    expect(session.id).toBe('mine');
    expect(session.info.state.settings).toEqual({ agent: 'henry', model: 'large' });
    await using other = await resumeSession(store, parent, { birth: { agent: 'henry' } });
    expect(other.id).toMatch(/^henry_/);
  });

  it('opens the new one to write, for the caller', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await resumeSession(store, await closedParent(store), { owner: 'editor' });
    await session.append([user('on we go')]);
    await expect(openSession(store, session.id)).rejects.toMatchObject({
      details: { holder: { name: 'editor' } },
    });
  });

  it('takes a summary from the caller instead of the one it was closed with', async () => {
    await using bench = await open();
    const { store } = bench;
    const parent = await store.create({ id: 'p' }, conversation(user('a')));
    await using session = await resumeSession(store, parent, { summary: summaryOf('by hand') });
    expect(said(await session.read({ limit: 1 }))).toEqual(['[by hand]']);
  });
});

describe.each(STORES)('a session of a $kind store without a summary of all of it', ({ open }) => {
  const over = (from: number, to: number) => compaction({ covers: { from, to }, summary: `${from}-${to}` });
  const ID = '01890000-0000-7000-8000-000000000001';

  it.each([
    ['nothing was said', []],
    ['nothing was summarised', [user('a'), assistant('b')]],
    ['something was said since', [user('a'), assistant('b'), over(1, 2), user('c')]],
    ['something was said before', [user('a'), assistant('b'), user('c'), assistant('d'), over(3, 4)]],
    ['there are two summaries', [user('a'), assistant('b'), over(1, 1), over(2, 2)]],
    ['the summary was undone', [user('a'), assistant('b'), over(1, 2), mark('removed', ID)]],
  ])('cannot be resumed when %s', async (_, bodies) => {
    await using bench = await open();
    const { store } = bench;
    const entries = bodies.map((body) => ({ ...(body.kind === 'compaction' && { id: ID }), body }));
    const unique = entries.filter(
      ({ id }, index) => !id || entries.findIndex((entry) => entry.id === id) === index,
    );
    await store.create({ id: 'p' }, unique);
    const second = entries.filter((entry) => !unique.includes(entry));
    if (second.length > 0) await store.append('p', [{ body: second[0]!.body }]);
    const resuming = resumeSession(store, (await store.session('p'))!);
    await expect(resuming).rejects.toMatchObject({ code: 'summary-missing', details: { session: 'p' } });
    expect(await store.count()).toMatchObject({ active: 1 });
  });

  it.each([
    ['notes came after it', [user('a'), over(1, 1), setting('tag', 'x')]],
    ['it was opened to look inside', [user('a'), over(1, 1), mark('expanded', { from: 2, to: 2 })]],
    ['it begins with a restoration', [restoration('older'), user('a'), over(2, 2)]],
    ['settings came before it', [setting('title', 'T'), user('a'), over(2, 2)]],
  ])('can be resumed although %s', async (_, bodies) => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 'p' }, conversation(...bodies));
    await using session = await resumeSession(store, (await store.session('p'))!);
    expect(said(await session.read({ limit: 1 }))[0]).toMatch(/^\[\d-\d\]$/);
  });

  it('can be resumed from a fork whose parent was summarised', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 'p' }, conversation(user('a'), assistant('b'), over(1, 2), user('later')));
    const parent = { session: 'p', relation: 'fork', seq: 3 } as const;
    await using session = await resumeSession(store, await store.create({ id: 'f', parent }));
    expect(said(await session.read({ limit: 1 }))).toEqual(['[1-2]']);
  });
});
