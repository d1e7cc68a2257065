import { deepEqual, equal, rejects } from 'node:assert/strict';
import { NO_USAGE, type Seq, titleOf } from '../../record/index.ts';
import type { NewSession, Store } from '../../store/index.ts';
import { assistant, conversation, user } from '../messages.ts';
import { compaction, mark, setting } from '../notes.ts';
import { promise, said } from './promise.ts';

function forkOf(session: string, seq: Seq, id = 'f'): NewSession {
  return { id, parent: { session, relation: 'fork', seq } };
}

/** A parent `p` of four messages, `a` to `d`. */
async function parent(store: Store): Promise<void> {
  await store.create({ id: 'p' }, conversation(user('a'), assistant('b'), user('c'), assistant('d')));
}

/** `p` says a b c d, `f` forks at b and says e f, `g` forks `f` at e and says g. */
async function threeGenerations(store: Store): Promise<void> {
  await parent(store);
  await store.create(forkOf('p', 2), conversation(user('e'), assistant('f')));
  await store.create(forkOf('f', 3, 'g'), conversation(assistant('g')));
}

export const forkPromises = [
  promise('sees its parent up to the fork and goes on with the next number', async ({ store }) => {
    await parent(store);
    const info = await store.create(forkOf('p', 2));
    deepEqual([info.head, info.parent], [2, { session: 'p', relation: 'fork', seq: 2 }]);
    deepEqual(said(await store.read('f')), ['a', 'b']);
    const [entry] = await store.append('f', [{ body: user('e') }]);
    equal(entry?.seq, 3);
    deepEqual(said(await store.read('f')), ['a', 'b', 'e']);
  }),

  promise('leaves its parent as it was, to the last byte', async ({ store }) => {
    await parent(store);
    const before = { info: await store.session('p'), entries: await store.read('p') };
    await store.create(
      forkOf('p', 2),
      conversation(user('e'), setting('title', 'Mine'), setting('trashed', true)),
    );
    deepEqual({ info: await store.session('p'), entries: await store.read('p') }, before);
  }),

  promise('does not see what its parent says after they parted', async ({ store }) => {
    await parent(store);
    await store.create(forkOf('p', 4));
    await store.append('p', [{ body: user('later') }]);
    deepEqual(said(await store.read('f')), ['a', 'b', 'c', 'd']);
    equal((await store.session('f'))?.head, 4);
  }),

  promise('starts anywhere from before the first entry to the last', async ({ store }) => {
    await parent(store);
    const all = ['a', 'b', 'c', 'd'];
    for (let seq = 0; seq <= 4; seq++) {
      await store.create(forkOf('p', seq, `f${seq}`), [{ body: user('new') }]);
      deepEqual(said(await store.read(`f${seq}`)), [...all.slice(0, seq), 'new']);
    }
  }),

  promise('refuses to go on from an entry that is not there', async ({ store }) => {
    await parent(store);
    for (const seq of [5, -1, 99]) {
      await rejects(store.create(forkOf('p', seq)), { code: 'entry-not-found' });
    }
    equal(await store.session('f'), undefined);
  }),

  promise('reads across generations in either direction, with ranges and limits', async ({ store }) => {
    await threeGenerations(store);
    deepEqual(said(await store.read('g')), ['a', 'b', 'e', 'g']);
    deepEqual(said(await store.read('g', { order: 'newest-first', limit: 3 })), ['g', 'e', 'b']);
    deepEqual(said(await store.read('g', { after: 1, upTo: 3 })), ['b', 'e']);
    deepEqual(said(await store.read('g', { after: 1, limit: 2 })), ['b', 'e']);
    deepEqual(
      (await store.read('g')).map(({ seq }) => seq),
      [1, 2, 3, 4],
    );
  }),

  promise('may fork a fork before the point where that one began', async ({ store }) => {
    await threeGenerations(store);
    await store.append('f', [{ body: setting('title', 'Only in f') }]);
    const info = await store.create(forkOf('f', 1, 'h'), [{ body: assistant('h') }]);
    deepEqual(said(await store.read('h')), ['a', 'h']);
    deepEqual([info.head, info.totals.messages, titleOf(info.state)], [2, 2, 'a']);
    equal(await store.entry('h', (await store.read('f', { after: 2 }))[0]!.id), undefined);
  }),

  promise('finds an entry by id in the shared part, and only there', async ({ store }) => {
    await threeGenerations(store);
    const [a, , c] = await store.read('p');
    deepEqual(await store.entry('g', a!.id), a);
    equal(await store.entry('g', c!.id), undefined);
  }),

  promise('counts the conversation one sees in it, but not what its parent spent', async ({ store }) => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    await store.create({ id: 'p' }, conversation(user('a'), assistant('b', { usage }), user('c')));
    const [a, b] = await store.read('p');
    const forked = await store.create(forkOf('p', 2));
    deepEqual(forked.totals, { messages: 2, queries: 1, tokens: a!.tokens + b!.tokens });
    deepEqual(forked.usage, NO_USAGE);
    await store.append('f', conversation(assistant('d', { usage })));
    const { totals, usage: spent } = (await store.session('f'))!;
    deepEqual([totals.messages, totals.queries, spent], [3, 1, usage]);
  }),

  promise('starts with the title, tags, settings and marks of that moment', async ({ store }) => {
    const [pinned] = conversation(user('a'));
    await store.create({ id: 'p' }, [
      pinned!,
      ...conversation(
        setting('title', 'Early'),
        setting('tag', 'early'),
        setting('model', 'small'),
        mark('pinned', pinned!.id!),
        compaction({ covers: { from: 1, to: 1 } }),
        setting('title', 'Late'),
        setting('tag', 'late'),
        setting('model', 'large'),
        mark('unpinned', pinned!.id!),
        compaction({ covers: { from: 1, to: 6 } }),
      ),
    ]);
    const { state } = await store.create(forkOf('p', 6));
    deepEqual([titleOf(state), state.tags, state.settings.model], ['Early', ['early'], 'small']);
    deepEqual([state.pinned, state.roots.map(({ to }) => to)], [[{ entry: pinned!.id }], [1]]);
    deepEqual((await store.create(forkOf('p', 11, 'g'))).state.tags, ['early', 'late']);
  }),

  promise('is neither in the archive nor in the trash when its parent is', async ({ store }) => {
    const away = conversation(user('a'), setting('archived', true), setting('trashed', true), assistant('b'));
    await store.create({ id: 'p' }, away);
    for (const seq of [2, 3, 4]) {
      const { state } = await store.create(forkOf('p', seq, `f${seq}`));
      deepEqual([state.archived, state.trashedAt], [false, undefined]);
    }
    deepEqual(await store.count(), { active: 3, archived: 0, trashed: 1 });
  }),

  promise('has its own age', async ({ store, clock }) => {
    await parent(store);
    clock.advance(5000);
    const { createdAt, updatedAt } = await store.create(forkOf('p', 2));
    deepEqual([createdAt, updatedAt], [clock.now(), clock.now()]);
  }),

  promise('is created together with its first entries or not at all', async ({ store }) => {
    await parent(store);
    const [a] = await store.read('p');
    const clash = [{ id: a!.id, body: user('not a') }];
    await rejects(store.create(forkOf('p', 2), clash), { code: 'entry-conflict' });
    equal(await store.session('f'), undefined);
    const info = await store.create(forkOf('p', 2), conversation(user('e')));
    deepEqual([info.head, said(await store.read('f'))], [3, ['a', 'b', 'e']]);
  }),

  promise('shares nothing across a resumption that it forks', async ({ store }) => {
    await parent(store);
    const resumed = { id: 'r', parent: { session: 'p', relation: 'resume', seq: 4 } } as const;
    await store.create(resumed, conversation(user('x'), assistant('y')));
    await store.create(forkOf('r', 1), conversation(assistant('z')));
    deepEqual(said(await store.read('f')), ['x', 'z']);
  }),

  promise('reads a chain of forty forks as one conversation', async ({ store }) => {
    await store.create({ id: 'f0' }, conversation(user('0')));
    const texts = Array.from({ length: 41 }, (_, n) => `${n}`);
    for (let n = 1; n <= 40; n++) {
      await store.create(forkOf(`f${n - 1}`, n, `f${n}`), conversation(user(`${n}`)));
    }
    deepEqual(said(await store.read('f40')), texts);
    equal((await store.session('f40'))?.totals.queries, 41);
  }),
];
