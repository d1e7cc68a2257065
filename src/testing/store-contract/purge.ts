import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { EMPTY_STATE } from '../../record/index.ts';
import { conversation } from '../conversation.ts';
import { assistant, user } from '../messages.ts';
import { setting } from '../notes.ts';
import { claimOf, promise, said } from './promise.ts';

const LONG = 'a long text that is set aside '.repeat(2000);
const OTHER = 'another long text, for one session only '.repeat(2000);

export const purgePromises = [
  promise('removes a session for good, and says how much that was', async ({ store }) => {
    await store.create({ id: 's' }, conversation(user('a'), assistant(LONG), setting('title', 'Gone')));
    const [, answer] = await store.read('s');
    const report = await store.purge('s');
    deepEqual([report.entries, report.blobs], [3, 1]);
    ok(report.bytes > LONG.length);
    equal(await store.session('s'), undefined);
    await rejects(store.read('s'), { code: 'session-not-found' });
    await rejects(store.entry('s', answer!.id), { code: 'session-not-found' });
    deepEqual(await store.find('Gone', { limit: 5 }), []);
    deepEqual((await store.list({ limit: 5 })).sessions, []);
    const { stored, entries, blobs, problems } = await store.verify();
    deepEqual({ stored, entries, blobs, problems }, { stored: 0, entries: 0, blobs: 0, problems: [] });
  }),

  promise('does not know how to purge what is not there', async ({ store }) => {
    await rejects(store.purge('nowhere'), { code: 'session-not-found' });
  }),

  promise('purges what is active, archived or in the trash', async ({ store }) => {
    const places = [[], [setting('archived', true)], [setting('trashed', true)]];
    for (const [n, moves] of places.entries())
      await store.create({ id: `s${n}` }, conversation(user('a'), ...moves));
    for (const n of places.keys()) await store.purge(`s${n}`);
    deepEqual(await store.count(), { active: 0, archived: 0, trashed: 0 });
  }),

  promise('refuses to purge a session that others were forked from, and names them', async ({ store }) => {
    await store.create({ id: 'p' }, conversation(user('a'), assistant('b')));
    for (const id of ['left', 'right'])
      await store.create({ id, parent: { session: 'p', relation: 'fork', seq: 1 } });
    await rejects(store.purge('p'), (error: Error & { code?: string; details?: { forks?: string[] } }) => {
      equal(error.code, 'session-has-forks');
      deepEqual(error.details?.forks, ['left', 'right']);
      ok(error.message.includes('left') && error.message.includes('right'));
      return true;
    });
    deepEqual(said(await store.read('p')), ['a', 'b']);
    await store.purge('left');
    await store.purge('right');
    await store.purge('p');
    equal((await store.verify()).entries, 0);
  }),

  promise('refuses it also for a fork that shares nothing yet', async ({ store }) => {
    await store.create({ id: 'p' });
    await store.create({ id: 'f', parent: { session: 'p', relation: 'fork', seq: 0 } });
    await rejects(store.purge('p'), { code: 'session-has-forks' });
  }),

  promise('lets a session go that others were only resumed from', async ({ store }) => {
    await store.create({ id: 'p' }, conversation(user('a')));
    const parent = { session: 'p', relation: 'resume', seq: 1 } as const;
    await store.create({ id: 'r', parent }, conversation(user('b')));
    await store.purge('p');
    deepEqual([(await store.session('r'))?.parent, said(await store.read('r'))], [parent, ['b']]);
    deepEqual([(await store.verify()).problems, (await store.rebuild()).changed], [[], []]);
  }),

  promise('refuses to purge what somebody is writing in', async ({ store, clock }) => {
    await store.create({ id: 's' }, conversation(user('a')));
    await store.claimLease('s', claimOf('mine'));
    await rejects(store.purge('s'), { code: 'lease-held' });
    deepEqual(said(await store.read('s')), ['a']);
    clock.advance(1000);
    await store.purge('s');
    equal(await store.session('s'), undefined);
  }),

  promise('leaves the parent of a purged fork whole', async ({ store }) => {
    await store.create({ id: 'p' }, conversation(user('a'), assistant(LONG)));
    const before = await store.read('p');
    await store.create(
      { id: 'f', parent: { session: 'p', relation: 'fork', seq: 2 } },
      conversation(user('c')),
    );
    deepEqual([(await store.purge('f')).entries, await store.read('p')], [1, before]);
    deepEqual((await store.verify()).problems, []);
  }),

  promise('removes the blobs that only this session used, and keeps the others', async ({ store }) => {
    await store.create({ id: 'a' }, conversation(user(LONG), user(OTHER), user(OTHER)));
    await store.create({ id: 'b' }, conversation(user(LONG)));
    equal((await store.verify()).blobs, 2);
    equal((await store.purge('a')).blobs, 1);
    const { blobs, problems } = await store.verify();
    deepEqual({ blobs, problems }, { blobs: 1, problems: [] });
    equal((await store.purge('b')).blobs, 1);
    equal((await store.verify()).blobs, 0);
  }),

  promise('frees the id: a new session of that name has nothing of the old one', async ({ store, clock }) => {
    const [entry] = conversation(user('old'));
    await store.create({ id: 's' }, [
      entry!,
      ...conversation(setting('tag', 'old'), setting('project', 'old')),
    ]);
    await store.claimLease('s', claimOf('old'));
    clock.advance(1000);
    await store.purge('s');
    const info = await store.create({ id: 's' });
    deepEqual([info.head, info.state], [0, EMPTY_STATE]);
    deepEqual([(await store.list({ limit: 5, tag: 'old' })).sessions, await store.read('s')], [[], []]);
    const late = store.append('s', [{ body: user('too late') }], { lease: 'old' });
    await rejects(late, { code: 'lease-lost' });
    await store.append('s', [{ id: entry!.id!, body: user('new') }]);
    deepEqual(said(await store.read('s')), ['new']);
  }),

  promise('lets sessions be created and purged side by side', async ({ store }) => {
    const ids = Array.from({ length: 10 }, (_, n) => `s${n}`);
    await Promise.all(ids.map((id) => store.create({ id }, conversation(user(LONG)))));
    await Promise.all(
      ids.map((id, n) => (n % 2 ? store.purge(id) : store.append(id, conversation(user(OTHER))))),
    );
    const { stored, entries, blobs, problems } = await store.verify();
    deepEqual({ stored, entries, blobs, problems }, { stored: 5, entries: 10, blobs: 2, problems: [] });
  }),
];
