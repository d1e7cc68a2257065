import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { assistant, conversation, user } from '../messages.ts';
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
    deepEqual(await store.entries([{ session: 's', entry: answer!.id }]), [undefined]);
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

  promise(
    'keeps the id of a purged session, and when that was: every use of it is refused',
    async ({ store, clock }) => {
      await store.create({ id: 's' }, conversation(user('old'), setting('tag', 'old')));
      await store.create({ id: 'p' }, conversation(user('a')));
      const [entry] = await store.read('s');
      await store.purge('s');
      const purgedAt = clock.now();
      clock.advance(1000);
      const uses: Record<string, () => Promise<unknown>> = {
        read: () => store.read('s'),
        entry: () => store.entry('s', entry!.id),
        append: () => store.append('s', conversation(user('new'))),
        'append again': () => store.append('s', [{ id: entry!.id, body: user('old') }]),
        'append a setting': () => store.append('s', conversation(setting('title', 'new'))),
        'claim the lease': () => store.claimLease('s', claimOf('mine')),
        rewrite: () => store.rewrite('s', [{ id: entry!.id, body: user('new') }]),
        purge: () => store.purge('s'),
        create: () => store.create({ id: 's' }, conversation(user('new'))),
        fork: () => store.create({ id: 's', parent: { session: 'p', relation: 'fork', seq: 1 } }),
        resume: () => store.create({ id: 's', parent: { session: 'p', relation: 'resume', seq: 1 } }),
        'fork from': () => store.create({ id: 'f', parent: { session: 's', relation: 'fork', seq: 0 } }),
      };
      for (const [what, use] of Object.entries(uses)) {
        await rejects(use(), { code: 'session-gone', details: { session: 's', purgedAt } }, what);
      }
      await store.releaseLease('s', 'mine');
      equal(await store.session('s'), undefined);
      deepEqual((await store.rebuild()).changed, []);
      await rejects(store.create({ id: 's' }), { code: 'session-gone' });
      const { stored, listed, problems } = await store.verify();
      deepEqual({ stored, listed, problems }, { stored: 1, listed: 1, problems: [] });
    },
  ),

  promise('forgets no purge that ran beside a creation of the same id', async ({ store }) => {
    await store.create({ id: 's' }, conversation(user('old')));
    const outcomes = await Promise.allSettled([
      store.create({ id: 's' }),
      store.purge('s'),
      ...Array.from({ length: 5 }, () => store.create({ id: 's' })),
    ]);
    equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    equal(await store.session('s'), undefined);
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
