import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { Store } from '../../store/index.ts';
import { assistant, conversation, user } from '../messages.ts';
import { compaction, mark, setting } from '../notes.ts';
import { claimOf, promise, said } from './promise.ts';

async function claimed(store: Store, token = 'mine'): Promise<void> {
  await store.create({ id: 's' });
  await store.claimLease('s', claimOf(token));
}

export const leasePromises = [
  promise('grants the right to append for the time asked', async ({ store, clock }) => {
    await store.create({ id: 's' });
    const claim = claimOf('mine');
    const lease = await store.claimLease('s', claim);
    deepEqual(lease, { token: 'mine', owner: claim.owner, expiresAt: clock.now() + 1000 });
    await store.append('s', [{ body: user('a') }], { lease: 'mine' });
  }),

  promise('renews a lease for its holder', async ({ store, clock }) => {
    await claimed(store);
    clock.advance(900);
    const { expiresAt } = await store.claimLease('s', claimOf('mine'));
    equal(expiresAt, clock.now() + 1000);
    clock.advance(900);
    await rejects(store.claimLease('s', claimOf('theirs')), { code: 'lease-held' });
  }),

  promise('tells a second writer who holds the lease', async ({ store, clock }) => {
    await claimed(store);
    const details = {
      session: 's',
      holder: claimOf('mine').owner,
      token: 'mine',
      expiresAt: clock.now() + 1000,
    };
    await rejects(store.claimLease('s', claimOf('theirs')), { code: 'lease-held', details });
  }),

  promise('tells which lease is held, until it is given back or expires', async ({ store, clock }) => {
    await store.create({ id: 's' });
    equal(await store.lease('s'), undefined);
    equal(await store.lease('nowhere'), undefined);
    const granted = await store.claimLease('s', claimOf('mine'));
    deepEqual(await store.lease('s'), granted);
    clock.advance(1000);
    equal(await store.lease('s'), undefined);
    await store.claimLease('s', claimOf('mine'));
    await store.releaseLease('s', 'mine');
    equal(await store.lease('s'), undefined);
  }),

  promise('grants the lease anew once it expired, not a millisecond before', async ({ store, clock }) => {
    await claimed(store);
    clock.advance(999);
    await rejects(store.claimLease('s', claimOf('theirs')), { code: 'lease-held' });
    clock.advance(1);
    equal((await store.claimLease('s', claimOf('theirs'))).token, 'theirs');
  }),

  promise('takes the lease from a holder that was found dead', async ({ store }) => {
    await claimed(store, 'dead');
    await store.claimLease('s', claimOf('mine', { replaces: 'dead' }));
    await store.append('s', [{ body: user('a') }], { lease: 'mine' });
    await rejects(store.append('s', [{ body: user('b') }], { lease: 'dead' }), { code: 'lease-lost' });
    deepEqual(said(await store.read('s')), ['a']);
  }),

  promise('does not take the lease from anybody but the one found dead', async ({ store }) => {
    await claimed(store, 'alive');
    await rejects(store.claimLease('s', claimOf('mine', { replaces: 'dead' })), { code: 'lease-held' });
    await store.append('s', [{ body: user('a') }], { lease: 'alive' });
  }),

  promise('lets one of two writers win who found the same holder dead', async ({ store }) => {
    await claimed(store, 'dead');
    const outcomes = await Promise.allSettled(
      ['left', 'right'].map((token) => store.claimLease('s', claimOf(token, { replaces: 'dead' }))),
    );
    deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  }),

  promise('grants one of many parallel claims', async ({ store }) => {
    await store.create({ id: 's' });
    const claims = Array.from({ length: 10 }, (_, n) => store.claimLease('s', claimOf(`writer${n}`)));
    const outcomes = await Promise.allSettled(claims);
    equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  }),

  promise('is free again once it was given back', async ({ store }) => {
    await claimed(store);
    await store.releaseLease('s', 'mine');
    await store.append('s', [{ body: user('a') }]);
    equal((await store.claimLease('s', claimOf('theirs'))).token, 'theirs');
  }),

  promise('does not mind a lease given back that was not held', async ({ store }) => {
    await claimed(store);
    await store.releaseLease('s', 'theirs');
    await store.releaseLease('nowhere', 'mine');
    await rejects(store.claimLease('s', claimOf('theirs')), { code: 'lease-held' });
  }),

  promise('is lost when it was given back, so a writer that has ended cannot append', async ({ store }) => {
    await claimed(store);
    await store.releaseLease('s', 'mine');
    await rejects(store.append('s', [{ body: user('a') }], { lease: 'mine' }), { code: 'lease-lost' });
  }),

  promise('keeps others from appending while it is held, and says who holds it', async ({ store }) => {
    await claimed(store);
    for (const body of [user('a'), assistant('b'), compaction({ covers: { from: 1, to: 1 } })]) {
      await rejects(store.append('s', [{ body }]), { code: 'lease-held' });
    }
    deepEqual(await store.read('s'), []);
  }),

  promise('lets anyone mark and set while it is held', async ({ store }) => {
    await claimed(store);
    const notes = conversation(mark('pinned', { from: 1, to: 1 }), setting('tag', 'x'));
    await store.append('s', notes);
    deepEqual((await store.session('s'))?.state.tags, ['x']);
    const mixed = conversation(setting('tag', 'y'), user('a'));
    await rejects(store.append('s', mixed), { code: 'lease-held' });
    deepEqual((await store.session('s'))?.state.tags, ['x']);
  }),

  promise('keeps nobody from appending once it has expired', async ({ store, clock }) => {
    await claimed(store);
    clock.advance(1000);
    await store.append('s', [{ body: user('a') }]);
  }),

  promise('still serves a holder who is late, as long as nobody took it', async ({ store, clock }) => {
    await claimed(store);
    clock.advance(5000);
    await store.append('s', [{ body: user('a') }], { lease: 'mine' });
    await store.claimLease('s', claimOf('theirs'));
    await rejects(store.append('s', [{ body: user('b') }], { lease: 'mine' }), { code: 'lease-lost' });
  }),

  promise('belongs to one session: neither another nor a fork is bound by it', async ({ store }) => {
    await store.create({ id: 'other' });
    await store.create({ id: 's' }, [{ body: user('a') }]);
    await store.claimLease('s', claimOf('mine'));
    await store.append('other', [{ body: user('free') }]);
    await store.create({ id: 'f', parent: { session: 's', relation: 'fork', seq: 1 } }, [
      { body: user('b') },
    ]);
    await store.append('f', [{ body: assistant('c') }]);
    deepEqual(said(await store.read('f')), ['a', 'b', 'c']);
  }),

  promise('cannot be had for a session that is not there', async ({ store }) => {
    await rejects(store.claimLease('nowhere', claimOf('mine')), { code: 'session-not-found' });
  }),
];
