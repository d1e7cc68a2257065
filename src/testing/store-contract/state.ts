import { deepEqual, equal } from 'node:assert/strict';
import { type EntryBody, type SessionState, titleOf } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { assistant, conversation, user } from '../messages.ts';
import { compaction, mark, restoration, setting } from '../notes.ts';
import { promise } from './promise.ts';

/** The state after all of these were appended one by one, to a new session. */
async function stateAfter(store: Store, ...bodies: readonly EntryBody[]): Promise<SessionState> {
  await store.create({ id: 's' });
  for (const body of bodies) await store.append('s', [{ body }]);
  return (await store.session('s'))!.state;
}

export const statePromises = [
  promise('calls an untitled session by its first question', async ({ store }) => {
    const state = await stateAfter(
      store,
      assistant('Hello.'),
      user('\n  Where is it?  \nI ask.'),
      user('Second'),
    );
    equal(titleOf(state), 'Where is it?');
  }),

  promise("keeps a user's title against hosts and automatic titles, before and after", async ({ store }) => {
    const state = await stateAfter(
      store,
      user('question'),
      setting('title', 'automatic', 'auto'),
      setting('title', 'mine', 'user'),
      setting('title', 'automatic again', 'auto'),
      setting('title', 'host', 'host'),
    );
    deepEqual(state.title, { text: 'mine', by: 'user' });
  }),

  promise('lets a user change and clear the title', async ({ store }) => {
    const state = await stateAfter(
      store,
      user('question'),
      setting('title', 'one'),
      setting('title', 'two'),
      setting('title', null),
    );
    deepEqual([state.title, titleOf(state)], [undefined, 'question']);
  }),

  promise('adds a tag once, in the order given, and takes it away', async ({ store }) => {
    const tags = ['b', 'a', 'b', 'c'].map((tag) => setting('tag', tag));
    const state = await stateAfter(store, ...tags, setting('untag', 'a'), setting('untag', 'never there'));
    deepEqual(state.tags, ['b', 'c']);
  }),

  promise('keeps settings of any name and JSON value, and clears them with null', async ({ store }) => {
    const limits = { hours: [1, 2], strict: false, note: null };
    const state = await stateAfter(
      store,
      setting('model', 'small'),
      setting('limits', limits),
      setting('gone', 'soon'),
      setting('model', 'large'),
      setting('gone', null),
    );
    deepEqual(state.settings, { model: 'large', limits });
  }),

  promise('remembers when a session was trashed, until it is taken out', async ({ store, clock }) => {
    await stateAfter(store, setting('archived', true));
    clock.advance(500);
    await store.append('s', [{ body: setting('trashed', true) }]);
    equal((await store.session('s'))?.state.trashedAt, clock.now());
    await store.append('s', [{ body: setting('trashed', false) }]);
    const { trashedAt, archived } = (await store.session('s'))!.state;
    deepEqual([trashedAt, archived], [undefined, true]);
  }),

  promise('lets the later of two marks win, where they overlap', async ({ store }) => {
    const range = { from: 1, to: 2 };
    const state = await stateAfter(
      store,
      user('a'),
      assistant('b'),
      mark('pinned', range),
      mark('unpinned', { from: 1, to: 1 }),
      mark('excluded', range),
      mark('expanded', range),
      mark('collapsed', range),
      mark('removed', range),
    );
    const { pinned, excluded, expanded, removed } = state;
    deepEqual(
      { pinned, excluded, expanded, removed },
      {
        pinned: [{ from: 2, to: 2 }],
        excluded: [range],
        expanded: [],
        removed: [range],
      },
    );
  }),

  promise('knows the compactions that no other covers, oldest range first', async ({ store }) => {
    const covering = (from: number, to: number, level = 1) => compaction({ covers: { from, to }, level });
    const state = await stateAfter(store, covering(5, 6), covering(1, 2), covering(3, 4), covering(1, 4, 2));
    deepEqual(
      state.roots.map(({ seq, level, from, to }) => ({ seq, level, from, to })),
      [
        { seq: 4, level: 2, from: 1, to: 4 },
        { seq: 1, level: 1, from: 5, to: 6 },
      ],
    );
  }),

  promise('points at the newest entry of each to-do, document, loop and restoration', async ({ store }) => {
    const todo = (id: string, status: 'pending' | 'completed' | 'removed') =>
      ({ kind: 'todo', id, text: id, status }) as const;
    const document = (id: string, content: unknown) =>
      ({ kind: 'document', id, title: id, content }) as const;
    const loop = { kind: 'loop', iteration: 1, passed: [], failed: [], lastError: null } as const;
    const state = await stateAfter(
      store,
      restoration('p'),
      todo('one', 'pending'),
      todo('two', 'pending'),
      document('plan', 'v1'),
      document('notes', 'v1'),
      todo('one', 'completed'),
      todo('two', 'removed'),
      document('plan', 'v2'),
      document('notes', null),
      { ...loop, passed: [], failed: [] },
    );
    const { todos, documents, loop: at, restoration: restored } = state;
    deepEqual(
      { todos, documents, at, restored },
      { todos: { one: 6 }, documents: { plan: 8 }, at: 10, restored: 1 },
    );
  }),

  promise('adds up to the same however the entries were grouped', async ({ store }) => {
    const bodies = [
      user('a'),
      setting('tag', 'x'),
      mark('pinned', { from: 1, to: 1 }),
      setting('untag', 'x'),
      assistant('b'),
    ];
    const one = await stateAfter(store, ...bodies);
    const all = await store.create({ id: 'all' }, conversation(...bodies));
    deepEqual(all.state, one);
  }),
];
