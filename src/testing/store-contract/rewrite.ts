import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { newEntryId } from '../../record/index.ts';
import { assistant, conversation, user } from '../messages.ts';
import { setting } from '../notes.ts';
import { claimOf, promise, said } from './promise.ts';

const LONG = 'a long text that is set aside '.repeat(2000);

export const rewritePromises = [
  promise(
    'puts other words in the place of an entry, and leaves its id, number and time',
    async ({ store, clock }) => {
      await store.create({ id: 's' }, conversation(user('a'), assistant(`b ${LONG}`), user('c')));
      const before = await store.read('s');
      clock.advance(1000);
      const report = await store.rewrite('s', [
        { id: before[0]!.id, body: user('redacted') },
        { id: before[1]!.id, body: assistant('short') },
      ]);
      deepEqual([report.entries, report.blobs], [2, 1]);
      const after = await store.read('s');
      deepEqual(said(after), ['redacted', 'short', 'c']);
      const places = (entries: typeof before) => entries.map(({ id, seq, at }) => ({ id, seq, at }));
      deepEqual(places(after), places(before));
      const { blobs, problems } = await store.verify();
      deepEqual({ blobs, problems }, { blobs: 0, problems: [] });
    },
  ),

  promise(
    'lets everything that follows from a log follow from the new one, in forks as well',
    async ({ store }) => {
      await store.create(
        { id: 's' },
        conversation(user('the opening'), setting('title', 'Old'), assistant('b')),
      );
      const [asked, titled] = await store.read('s');
      await store.create({ id: 'early', parent: { session: 's', relation: 'fork', seq: 2 } });
      await store.create({ id: 'late', parent: { session: 's', relation: 'fork', seq: 3 } });
      await store.append('late', conversation(user('later')));
      await store.create({ id: 'later', parent: { session: 'late', relation: 'fork', seq: 4 } });
      await store.rewrite('s', [
        { id: asked!.id, body: user('x') },
        { id: titled!.id, body: setting('title', 'New') },
      ]);
      for (const id of ['s', 'early', 'late', 'later']) {
        const { state } = (await store.session(id))!;
        ok(!JSON.stringify(state).match(/the opening|Old/), id);
        equal(said(await store.read(id))[0], 'x');
      }
      deepEqual((await store.find('Old', { limit: 5 })).length, 0);
      deepEqual((await store.verify()).problems, []);
      deepEqual((await store.rebuild()).changed, []);
    },
  ),

  promise('keeps a blob that somebody else still refers to', async ({ store }) => {
    await store.create({ id: 's' }, conversation(user(LONG)));
    await store.create({ id: 'other' }, conversation(user(LONG)));
    const [entry] = await store.read('s');
    equal((await store.rewrite('s', [{ id: entry!.id, body: user('short') }])).blobs, 0);
    deepEqual((await store.verify()).problems, []);
  }),

  promise('writes nothing if one of the entries is not its own', async ({ store }) => {
    await store.create({ id: 's' }, conversation(user('a')));
    const [entry] = await store.read('s');
    await store.create({ id: 'fork', parent: { session: 's', relation: 'fork', seq: 1 } });
    const other = { id: newEntryId(), body: user('y') };
    await rejects(store.rewrite('s', [{ id: entry!.id, body: user('x') }, other]), {
      code: 'entry-not-found',
    });
    await rejects(store.rewrite('fork', [{ id: entry!.id, body: user('x') }]), { code: 'entry-not-found' });
    await rejects(store.rewrite('nowhere', []), { code: 'session-not-found' });
    deepEqual(said(await store.read('s')), ['a']);
  }),

  promise('leaves a session alone that somebody is writing in', async ({ store }) => {
    await store.create({ id: 's' }, conversation(user('a')));
    const [entry] = await store.read('s');
    await store.claimLease('s', claimOf('mine'));
    await rejects(store.rewrite('s', [{ id: entry!.id, body: user('x') }]), { code: 'lease-held' });
    await store.releaseLease('s', 'mine');
    await store.rewrite('s', [{ id: entry!.id, body: user('x') }]);
    deepEqual(said(await store.read('s')), ['x']);
  }),
];
