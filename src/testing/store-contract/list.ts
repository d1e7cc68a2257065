import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { EntryBody, SessionInfo } from '../../record/index.ts';
import type { SessionQuery, Store } from '../../store/index.ts';
import { conversation, user } from '../messages.ts';
import { setting } from '../notes.ts';
import { promise } from './promise.ts';

async function withBodies(store: Store, id: string, ...bodies: EntryBody[]): Promise<void> {
  await store.create({ id }, conversation(...bodies));
}

async function ids(store: Store, query: Partial<SessionQuery> = {}): Promise<string[]> {
  return (await store.list({ limit: 100, ...query })).sessions.map(({ id }) => id);
}

/** Every page, one after the other. `between` runs after each page, as another writer would. */
async function pages(
  store: Store,
  limit: number,
  between?: (page: number) => Promise<unknown>,
): Promise<string[][]> {
  const seen: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit, ...(cursor !== undefined && { cursor }) });
    seen.push(page.sessions.map(({ id }) => id));
    cursor = page.cursor;
    if (cursor === undefined) return seen;
    await between?.(seen.length);
  }
}

export const listPromises = [
  promise('refuses a cursor that no list gave', async ({ store }) => {
    await rejects(store.list({ limit: 10, cursor: 'page 2' }), { code: 'usage' });
  }),

  promise('lists nothing when there is nothing', async ({ store }) => {
    deepEqual(await store.list({ limit: 10 }), { sessions: [] });
    deepEqual(await store.count(), { active: 0, archived: 0, trashed: 0 });
  }),

  promise('lists nothing when nothing is asked for', async ({ store }) => {
    for (const id of ['a', 'b', 'c']) await store.create({ id });
    for (const limit of [0, -1, -2]) {
      deepEqual((await store.list({ limit })).sessions, []);
      deepEqual(await store.find('a', { limit }), []);
    }
  }),

  promise('lists sessions as they are', async ({ store }) => {
    await withBodies(store, 's', user('a'), setting('title', 'A title'));
    deepEqual((await store.list({ limit: 10 })).sessions, [await store.session('s')]);
  }),

  promise('lists the one first in which something was said last', async ({ store, clock }) => {
    for (const id of ['a', 'b', 'c']) {
      await store.create({ id });
      clock.advance(1);
    }
    deepEqual(await ids(store), ['c', 'b', 'a']);
    await store.append('a', [{ body: user('hello') }]);
    deepEqual(await ids(store), ['a', 'c', 'b']);
  }),

  promise('lists the younger one first when two were moved in one millisecond', async ({ store }) => {
    for (const id of ['b', 'c', 'a']) await store.create({ id });
    deepEqual(await ids(store), ['a', 'c', 'b']);
  }),

  promise('lists page by page, with no cursor on the last', async ({ store, clock }) => {
    for (let n = 0; n < 6; n++) {
      await store.create({ id: `s${n}` });
      if (n % 2) clock.advance(1);
    }
    const all = ['s5', 's4', 's3', 's2', 's1', 's0'];
    deepEqual(await pages(store, 4), [all.slice(0, 4), all.slice(4)]);
    deepEqual(await pages(store, 3), [all.slice(0, 3), all.slice(3)]);
    deepEqual(
      await pages(store, 1),
      all.map((id) => [id]),
    );
    equal((await store.list({ limit: 6 })).cursor, undefined);
  }),

  promise('skips and repeats nothing while sessions come and move', async ({ store, clock }) => {
    for (let n = 0; n < 6; n++) {
      await store.create({ id: `s${n}` });
      clock.advance(1);
    }
    const seen = await pages(store, 2, async (page) => {
      await store.create({ id: `new${page}` });
      if (page === 1) await store.append('s5', [{ body: user('up') }]);
      if (page === 1) await store.purge('s4');
    });
    deepEqual(seen.flat(), ['s5', 's4', 's3', 's2', 's1', 's0']);
  }),

  promise('pages through sessions of one millisecond', async ({ store }) => {
    for (let n = 0; n < 7; n++) await store.create({ id: `s${n}` });
    deepEqual((await pages(store, 2)).flat(), ['s6', 's5', 's4', 's3', 's2', 's1', 's0']);
  }),

  promise('shows the archive and the trash only when asked, and counts all three', async ({ store }) => {
    await withBodies(store, 'active', user('a'));
    await withBodies(store, 'archived', user('a'), setting('archived', true));
    await withBodies(store, 'trashed', user('a'), setting('archived', true), setting('trashed', true));
    deepEqual(await ids(store), ['active']);
    deepEqual(await ids(store, { place: 'archived' }), ['archived']);
    deepEqual(await ids(store, { place: 'trashed' }), ['trashed']);
    deepEqual(await store.count(), { active: 1, archived: 1, trashed: 1 });
    await store.append('trashed', [{ body: setting('trashed', false) }]);
    await store.append('archived', [{ body: setting('archived', false) }]);
    deepEqual(await store.count(), { active: 2, archived: 1, trashed: 0 });
    deepEqual(await ids(store), ['archived', 'active']);
  }),

  promise('lists the log of a project under memory, and nowhere else', async ({ store }) => {
    await withBodies(store, 'said', user('a'), setting('project', 'p'));
    await withBodies(store, 'p', setting('reserved', 'memory'), setting('project', 'p'));
    deepEqual(await ids(store), ['said']);
    deepEqual(await ids(store, { project: 'p' }), ['said']);
    deepEqual(await ids(store, { place: 'memory' }), ['p']);
    deepEqual(await store.count(), { active: 1, archived: 0, trashed: 0 });
    const { stored, listed } = await store.verify();
    deepEqual([stored, listed], [2, 2]);
    deepEqual((await store.rebuild()).changed, []);
    await store.append('p', [{ body: setting('trashed', true) }]);
    deepEqual([await ids(store, { place: 'memory' }), await ids(store, { place: 'trashed' })], [[], ['p']]);
  }),

  promise('lists by project, by agent and by tag, and by all of them at once', async ({ store }) => {
    await withBodies(store, 'a', setting('project', 'one'), setting('agent', 'sally'), setting('tag', 'x'));
    await withBodies(store, 'b', setting('project', 'one'), setting('agent', 'henry'), setting('tag', 'y'));
    await withBodies(store, 'c', setting('project', 'two'), setting('tag', 'x'), setting('tag', 'y'));
    deepEqual(await ids(store, { project: 'one' }), ['b', 'a']);
    deepEqual(await ids(store, { agent: 'sally' }), ['a']);
    deepEqual(await ids(store, { tag: 'x' }), ['c', 'a']);
    deepEqual(await ids(store, { tag: 'y', project: 'two' }), ['c']);
    deepEqual(await ids(store, { tag: 'x', agent: 'henry' }), []);
    deepEqual(await ids(store, { tag: 'X' }), []);
  }),

  promise('follows tags and settings as they change', async ({ store }) => {
    await withBodies(store, 's', setting('project', 'one'), setting('tag', 'x'));
    await store.append('s', conversation(setting('project', 'two'), setting('untag', 'x')));
    deepEqual([await ids(store, { project: 'one' }), await ids(store, { tag: 'x' })], [[], []]);
    deepEqual(await ids(store, { project: 'two' }), ['s']);
    await store.append('s', [{ body: setting('project', null) }]);
    deepEqual(await ids(store, { project: 'two' }), []);
  }),

  promise('gives a fork the tags and the project of its parent', async ({ store }) => {
    await withBodies(store, 'p', setting('project', 'one'), setting('tag', 'x'));
    await store.create({ id: 'f', parent: { session: 'p', relation: 'fork', seq: 2 } });
    deepEqual(await ids(store, { project: 'one', tag: 'x' }), ['f', 'p']);
    await store.append('f', [{ body: setting('untag', 'x') }]);
    deepEqual(await ids(store, { tag: 'x' }), ['p']);
  }),

  promise('lists the forks and resumptions of one session, wherever they are kept', async ({ store }) => {
    await withBodies(store, 'p', user('a'));
    await store.create({ id: 'f', parent: { session: 'p', relation: 'fork', seq: 1 } });
    await store.create({ id: 'r', parent: { session: 'p', relation: 'resume', seq: 1 } });
    await store.create({ id: 'g', parent: { session: 'f', relation: 'fork', seq: 1 } });
    await store.append('f', [{ body: setting('archived', true) }]);
    await store.append('r', [{ body: setting('trashed', true) }]);
    deepEqual(await ids(store, { parent: 'p' }), ['r', 'f']);
    deepEqual(await ids(store, { parent: 'p', place: 'archived' }), ['f']);
    deepEqual(await ids(store, { parent: 'nowhere' }), []);
  }),

  promise('has every session in exactly one list', async ({ store }) => {
    for (let n = 0; n < 9; n++) {
      const moves = [[], [setting('archived', true)], [setting('trashed', true)]][n % 3]!;
      await withBodies(store, `s${n}`, user('a'), ...moves);
    }
    const places = ['active', 'archived', 'trashed'] as const;
    const listed = await Promise.all(places.map((place) => store.list({ limit: 100, place })));
    const all = listed.flatMap((page): readonly SessionInfo[] => page.sessions).map(({ id }) => id);
    deepEqual(
      all.sort(),
      Array.from({ length: 9 }, (_, n) => `s${n}`),
    );
  }),
];
