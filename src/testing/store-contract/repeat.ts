import { deepEqual, equal, rejects } from 'node:assert/strict';
import { type EntryBody, newEntryId } from '../../record/index.ts';
import { assistant, conversation, user } from '../messages.ts';
import { foreign } from '../notes.ts';
import { claimOf, promise, said } from './promise.ts';

export const repeatPromises = [
  promise('answers a repeated append with the first result, writing nothing', async ({ store, clock }) => {
    await store.create({ id: 's' });
    const turn = conversation(user('a'), assistant('b'));
    const first = await store.append('s', turn);
    const info = await store.session('s');
    clock.advance(1000);
    deepEqual(await store.append('s', turn), first);
    deepEqual(await store.session('s'), info);
    deepEqual(await store.read('s'), first);
  }),

  promise('takes fresh ids at their word, and knows them when they come again', async ({ store }) => {
    await store.create({ id: 's' });
    const turn = conversation(user('a'), assistant('b'));
    const first = await store.append('s', turn, { freshIds: true, expectedHead: 0 });
    deepEqual(
      first.map(({ seq }) => seq),
      [1, 2],
    );
    deepEqual(await store.append('s', turn), first);
  }),

  promise(
    'takes a UUID in either case for the same id, and gives it back in lower case',
    async ({ store }) => {
      await store.create({ id: 's' });
      const id = newEntryId();
      const upper = id.toUpperCase();
      const [first] = await store.append('s', [{ id: upper, body: user('a') }]);
      equal(first?.id, id);
      for (const again of [id, upper]) {
        deepEqual(await store.append('s', [{ id: again, body: user('a') }]), [first]);
        deepEqual(await store.entry('s', again), first);
        deepEqual(await store.entries([{ session: 's', entry: again }]), [first]);
        await rejects(store.append('s', [{ id: again, body: user('b') }]), { code: 'entry-conflict' });
      }
      deepEqual(said(await store.read('s')), ['a']);
    },
  ),

  promise('takes an entry for a repeat whatever its time', async ({ store }) => {
    await store.create({ id: 's' });
    const id = newEntryId();
    await store.append('s', [{ id, at: 1000, body: user('a') }]);
    const [again] = await store.append('s', [{ id, at: 2000, body: user('a') }]);
    deepEqual([again?.seq, again?.at], [1, 1000]);
  }),

  promise('takes bodies for equal that are equal as JSON', async ({ store }) => {
    await store.create({ id: 's' });
    const id = newEntryId();
    const when = new Date(0);
    const part = { type: 'data', a: 1, b: { c: 0, d: [null, 'x'] }, when: when.toJSON() };
    await store.append('s', [{ id, body: user([part]) }]);
    const shuffled = { when, b: { e: undefined, d: [undefined, 'x'], c: -0 }, a: 1, type: 'data' };
    const [again] = await store.append('s', [{ id, body: { ...user([shuffled]), model: undefined } }]);
    equal(again?.seq, 1);
  }),

  promise('refuses a known id with another body, and keeps nothing of that append', async ({ store }) => {
    await store.create({ id: 's' });
    const [known] = await store.append('s', [{ body: user('first') }]);
    const clash = [...conversation(user('new')), { id: known!.id, body: user('not the first') }];
    await rejects(store.append('s', clash), (error: Error & { code?: string; details?: unknown }) => {
      equal(error.code, 'entry-conflict');
      equal(error.message.includes(known!.id), true);
      return true;
    });
    deepEqual(said(await store.read('s')), ['first']);
  }),

  promise('answers a mix of repeats and new entries in the order given', async ({ store }) => {
    await store.create({ id: 's' });
    const [a, b, c, d] = conversation(user('a'), assistant('b'), user('c'), assistant('d'));
    await store.append('s', [a!, b!]);
    const mixed = await store.append('s', [c!, b!, d!, a!]);
    deepEqual(
      mixed.map(({ seq }) => seq),
      [3, 2, 4, 1],
    );
    deepEqual(said(await store.read('s')), ['a', 'b', 'c', 'd']);
  }),

  promise('takes the same entry twice in one append as one', async ({ store }) => {
    await store.create({ id: 's' });
    const [a, b] = conversation(user('a'), assistant('b'));
    const appended = await store.append('s', [a!, b!, a!]);
    deepEqual(
      appended.map(({ seq }) => seq),
      [1, 2, 1],
    );
    equal((await store.session('s'))?.head, 2);
  }),

  promise('refuses two bodies under one id in one append', async ({ store }) => {
    await store.create({ id: 's' });
    const id = newEntryId();
    const clash = [
      { id, body: user('one') },
      { id, body: user('two') },
    ];
    await rejects(store.append('s', clash), { code: 'entry-conflict' });
    deepEqual(await store.read('s'), []);
  }),

  promise('answers a repeat whoever writes by now and wherever the head is', async ({ store }) => {
    await store.create({ id: 's' });
    const turn = conversation(user('a'));
    const first = await store.append('s', turn, { expectedHead: 0 });
    await store.append('s', [{ body: user('later') }]);
    await store.claimLease('s', claimOf('another'));
    deepEqual(await store.append('s', turn, { expectedHead: 0, lease: 'lost long ago' }), first);
    deepEqual(await store.append('s', turn), first);
  }),

  promise('checks the head as soon as one entry of an append is new', async ({ store }) => {
    await store.create({ id: 's' });
    const [a, b] = conversation(user('a'), assistant('b'));
    await store.append('s', [a!], { expectedHead: 0 });
    await rejects(store.append('s', [a!, b!], { expectedHead: 0 }), { code: 'head-moved' });
    deepEqual(said(await store.read('s')), ['a']);
  }),

  promise('finds repeats in the part of the log that a fork shares', async ({ store }) => {
    const [a, b] = conversation(user('a'), assistant('b'));
    await store.create({ id: 'p' }, [a!, b!]);
    await store.create({ id: 'f', parent: { session: 'p', relation: 'fork', seq: 2 } });
    const again = await store.append('f', [a!, ...conversation(user('c'))]);
    deepEqual(
      again.map(({ seq }) => seq),
      [1, 3],
    );
    const clash = [{ id: b!.id!, body: assistant('not b') }];
    await rejects(store.append('f', clash), { code: 'entry-conflict' });
    deepEqual(said(await store.read('f')), ['a', 'b', 'c']);
  }),

  promise('lets a fork use an id that its parent used after they parted', async ({ store }) => {
    const [a, b] = conversation(user('a'), assistant('b'));
    await store.create({ id: 'p' }, [a!, b!]);
    await store.create({ id: 'f', parent: { session: 'p', relation: 'fork', seq: 1 } });
    const [other] = await store.append('f', [{ id: b!.id!, body: assistant('another b') }]);
    equal(other?.seq, 2);
    deepEqual(said(await store.read('p')), ['a', 'b']);
    deepEqual(said(await store.read('f')), ['a', 'another b']);
    deepEqual(said([(await store.entry('f', b!.id!))!]), ['another b']);
  }),

  promise('lets two sessions that share nothing use one id', async ({ store }) => {
    const id = newEntryId();
    await store.create({ id: 'a' }, [{ id, body: user('in a') }]);
    await store.create({ id: 'b' }, [{ id, body: user('in b') }]);
    deepEqual(said([(await store.entry('a', id))!, (await store.entry('b', id))!]), ['in a', 'in b']);
  }),

  promise('knows a repeat of a large body, of bytes and of a kind it does not know', async ({ store }) => {
    await store.create({ id: 's' });
    const bodies = (): EntryBody[] => [
      user('long '.repeat(10_000)),
      user([{ type: 'file', data: new Uint8Array([1, 2, 3]) }]),
      foreign('hologram', { depth: 3, $blob: 'mine' }),
    ];
    const turn = conversation(...bodies());
    const first = await store.append('s', turn);
    const again = bodies().map((body, index) => ({ id: turn[index]!.id!, body }));
    deepEqual(await store.append('s', again), first);
    const longer = { id: turn[0]!.id!, body: user('long '.repeat(10_001)) };
    await rejects(store.append('s', [longer]), { code: 'entry-conflict' });
  }),

  promise('writes an entry once that ten writers append at the same time', async ({ store }) => {
    await store.create({ id: 's' });
    const turn = conversation(user('a'), assistant('b'));
    const results = await Promise.all(Array.from({ length: 10 }, () => store.append('s', turn)));
    for (const result of results) deepEqual(result, results[0]);
    equal((await store.session('s'))?.head, 2);
  }),
];
