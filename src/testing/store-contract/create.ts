import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { EMPTY_STATE, NO_USAGE, newEntryId } from '../../record/index.ts';
import { assistant, user } from '../messages.ts';
import { setting } from '../notes.ts';
import { promise, said } from './promise.ts';

export const createPromises = [
  promise('starts a session at entry 0, with nothing said, counted or spent', async ({ store, clock }) => {
    const info = await store.create({ id: 's' });
    deepEqual(info, {
      id: 's',
      createdAt: clock.now(),
      updatedAt: clock.now(),
      head: 0,
      totals: { messages: 0, queries: 0, tokens: 0 },
      usage: NO_USAGE,
      state: EMPTY_STATE,
    });
    deepEqual(await store.session('s'), info);
    deepEqual(await store.read('s'), []);
  }),

  promise('takes the time of creation from the caller when there is one', async ({ store }) => {
    const { createdAt, updatedAt } = await store.create({ id: 's', createdAt: 1234 });
    deepEqual([createdAt, updatedAt], [1234, 1234]);
  }),

  promise('has the first entries as soon as it has the session', async ({ store }) => {
    const info = await store.create({ id: 's' }, [{ body: user('hello') }, { body: assistant('hi') }]);
    deepEqual([info.head, info.totals.messages, info.totals.queries], [2, 2, 1]);
    deepEqual(said(await store.read('s')), ['hello', 'hi']);
  }),

  promise('refuses a taken id and leaves the session as it was', async ({ store }) => {
    const before = await store.create({ id: 's' }, [{ body: user('the first') }]);
    await rejects(store.create({ id: 's' }, [{ body: user('the second') }]), { code: 'session-exists' });
    deepEqual(await store.session('s'), before);
    deepEqual(said(await store.read('s')), ['the first']);
  }),

  promise('refuses an id that could not be a file name on every system', async ({ store }) => {
    const ids = [
      '',
      '.',
      '..',
      '../up',
      'a/b',
      'a\\b',
      'a b',
      'nul',
      'COM1.txt',
      'dot.',
      'é',
      '\0',
      'x'.repeat(129),
    ];
    for (const id of ids) await rejects(store.create({ id }), { code: 'session-id-invalid' }, id);
    equal((await store.count()).active, 0);
  }),

  promise('refuses a birthday that is no time', async ({ store }) => {
    for (const createdAt of [-5, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      await rejects(store.create({ id: 's', createdAt }), { code: 'entry-invalid' }, String(createdAt));
    equal((await store.count()).active, 0);
  }),

  promise('takes an id of 128 characters', async ({ store }) => {
    const id = 'x'.repeat(128);
    await store.create({ id });
    equal((await store.session(id))?.id, id);
  }),

  promise('leaves no session behind when a first entry is not valid', async ({ store }) => {
    const misspelt = { ...user('hello'), colour: 'red' };
    const creating = store.create({ id: 's' }, [{ body: user('fine') }, { body: misspelt }]);
    await rejects(creating, { code: 'entry-invalid' });
    equal(await store.session('s'), undefined);
    await store.create({ id: 's' });
  }),

  promise('leaves no session behind when its first entries contradict each other', async ({ store }) => {
    const id = newEntryId();
    const clash = [
      { id, body: user('one') },
      { id, body: user('two') },
    ];
    await rejects(store.create({ id: 's' }, clash), { code: 'entry-conflict' });
    equal(await store.session('s'), undefined);
  }),

  promise('does not know a session that was not created', async ({ store }) => {
    equal(await store.session('s'), undefined);
  }),

  promise('tells ids apart that differ only in case', async ({ store }) => {
    await store.create({ id: 'Alpha' }, [{ body: user('large') }]);
    await store.create({ id: 'alpha' }, [{ body: user('small') }]);
    deepEqual(said(await store.read('Alpha')), ['large']);
    deepEqual(said(await store.read('alpha')), ['small']);
  }),

  promise('takes a UUID in either case for the same id, and keeps it in lower case', async ({ store }) => {
    const [lower, upper] = ['0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d', '0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D'];
    const { id } = await store.create({ id: upper }, [{ body: user('hello') }]);
    equal(id, lower);
    const [entry] = await store.read(upper);
    deepEqual(await store.session(upper), await store.session(lower));
    deepEqual([await store.entry(upper, entry!.id), await store.read(lower)], [entry, [entry]]);
    deepEqual(await store.entries([{ session: upper, entry: entry!.id }]), [entry]);
    for (const again of [lower, upper])
      await rejects(store.create({ id: again }), { code: 'session-exists' });
    await store.append(upper, [{ body: user('and again') }]);
    const fork = await store.create({ id: 'f', parent: { session: upper, relation: 'fork', seq: 1 } });
    equal(fork.parent?.session, lower);
    for (const parent of [lower, upper])
      deepEqual(
        (await store.list({ parent, limit: 5 })).sessions.map((session) => session.id),
        ['f'],
      );
    await store.purge('f');
    await store.purge(upper);
    for (const gone of [lower, upper]) await rejects(store.create({ id: gone }), { code: 'session-gone' });
  }),

  promise('refuses a new name that starts another id, or that another id starts', async ({ store }) => {
    for (const id of ['b', 'bell_2', 'bell_20', 'purged_1']) await store.create({ id });
    await store.purge('purged_1');
    const named = (id: string) => store.create({ id, prefixFree: true });
    for (const [id, other] of [
      ['bell', /^b$|^bell_20?$/],
      ['bell_2', /^bell_2$/],
      ['bell_200', /^b$|^bell_20?$/],
      ['bank', /^b$/],
      ['purged', /^purged_1$/],
      ['purged_12', /^purged_1$/],
    ] as const) {
      await rejects(named(id), (error: Error & { code?: string; details?: Record<string, unknown> }) => {
        equal(error.code, 'session-exists', id);
        ok(other.test(String(error.details?.other ?? error.details?.session)), id);
        return true;
      });
    }
    await rejects(named('purged_1'), { code: 'session-gone' });
    for (const id of ['a', 'c', 'Bell', 'purged_2', 'purgee']) equal((await named(id)).id, id);
    equal((await store.create({ id: 'bell' })).id, 'bell');
  }),

  promise('lets one of two new names be made at once of which one starts the other', async ({ store }) => {
    const ids = Array.from({ length: 12 }, (_, n) => 'x'.repeat(n + 1));
    const outcomes = await Promise.allSettled(ids.map((id) => store.create({ id, prefixFree: true })));
    equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    equal((await store.count()).active, 1);
  }),

  promise('goes on only from a session that is there', async ({ store }) => {
    for (const relation of ['fork', 'resume'] as const) {
      const creating = store.create({ id: 's', parent: { session: 'nowhere', relation, seq: 0 } });
      await rejects(creating, { code: 'session-not-found' });
    }
    equal(await store.session('s'), undefined);
  }),

  promise('starts a resumed session empty: it knows its parent and shares nothing', async ({ store }) => {
    await store.create({ id: 'p' }, [{ body: user('before') }, { body: setting('title', 'Parent') }]);
    const parent = { session: 'p', relation: 'resume', seq: 2 } as const;
    const info = await store.create({ id: 's', parent });
    deepEqual([info.parent, info.head, info.totals.messages, info.state], [parent, 0, 0, EMPTY_STATE]);
    const [first] = await store.append('s', [{ body: user('after') }]);
    equal(first?.seq, 1);
    deepEqual(said(await store.read('s')), ['after']);
  }),

  promise('lets exactly one of many parallel creations of an id win', async ({ store }) => {
    const tries = Array.from({ length: 10 }, (_, n) =>
      store.create({ id: 's' }, [{ body: user(`number ${n}`) }]),
    );
    const outcomes = await Promise.allSettled(tries);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const losers = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    deepEqual(new Set(losers.map(({ reason }) => reason.code)), new Set(['session-exists']));
    equal(losers.length, 9);
    deepEqual(said(await store.read('s')), [`number ${winner}`]);
  }),

  promise('creates many sessions in parallel', async ({ store }) => {
    const ids = Array.from({ length: 50 }, (_, n) => `s${n}`);
    await Promise.all(ids.map((id) => store.create({ id }, [{ body: user(id) }])));
    equal((await store.count()).active, 50);
    for (const id of ids) deepEqual(said(await store.read(id)), [id]);
  }),

  promise('hands out copies: what a caller does to one changes nothing stored', async ({ store }) => {
    const tag = { body: setting('tag', 'kept') };
    const info = await store.create({ id: 's' }, [tag, { body: setting('limits', { hours: 1 }) }]);
    const before = structuredClone(info);
    (info.state.tags as string[]).push('added');
    (info.state.settings.limits as { hours: number }).hours = 2;
    Object.assign(info.totals, { messages: 99 });
    deepEqual(await store.session('s'), before);
    ok((await store.verify()).problems.length === 0);
  }),
];
