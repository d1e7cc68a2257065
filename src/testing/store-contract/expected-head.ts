import { deepEqual, equal, rejects } from 'node:assert/strict';
import { isThroughlineError } from '../../errors.ts';
import { assistant, conversation, user } from '../messages.ts';
import { setting } from '../notes.ts';
import { promise, said } from './promise.ts';

export const expectedHeadPromises = [
  promise('appends behind the head that the writer has seen', async ({ store }) => {
    await store.create({ id: 's' });
    await store.append('s', [{ body: user('a') }], { expectedHead: 0 });
    await store.append('s', [{ body: assistant('b') }], { expectedHead: 1 });
    deepEqual(said(await store.read('s')), ['a', 'b']);
  }),

  promise('refuses a stale head, says where the session is now, and writes nothing', async ({ store }) => {
    await store.create({ id: 's' }, conversation(user('a'), assistant('b')));
    const appending = store.append('s', [{ body: user('c') }], { expectedHead: 1 });
    await rejects(appending, { code: 'head-moved', details: { session: 's', expectedHead: 1, head: 2 } });
    deepEqual(said(await store.read('s')), ['a', 'b']);
  }),

  promise('refuses a head that the session has not reached', async ({ store }) => {
    await store.create({ id: 's' });
    await rejects(store.append('s', [{ body: user('a') }], { expectedHead: 1 }), { code: 'head-moved' });
  }),

  promise('holds marks and settings to the head as well, when they name one', async ({ store }) => {
    await store.create({ id: 's' }, [{ body: user('a') }]);
    const appending = store.append('s', [{ body: setting('tag', 'x') }], { expectedHead: 0 });
    await rejects(appending, { code: 'head-moved' });
    deepEqual((await store.session('s'))?.state.tags, []);
  }),

  promise('counts the head of a fork along its lineage', async ({ store }) => {
    await store.create({ id: 'p' }, conversation(user('a'), assistant('b'), user('c')));
    await store.create({ id: 'f', parent: { session: 'p', relation: 'fork', seq: 2 } });
    await rejects(store.append('f', [{ body: user('d') }], { expectedHead: 0 }), { code: 'head-moved' });
    const [entry] = await store.append('f', [{ body: user('d') }], { expectedHead: 2 });
    equal(entry?.seq, 3);
  }),

  promise('lets exactly one of two writers win who have seen the same head', async ({ store }) => {
    await store.create({ id: 's' }, [{ body: user('a') }]);
    const outcomes = await Promise.allSettled(
      ['left', 'right'].map((text) => store.append('s', [{ body: assistant(text) }], { expectedHead: 1 })),
    );
    const [lost, another] = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    equal(lost?.reason.code, 'head-moved');
    equal(another, undefined);
    equal((await store.session('s'))?.head, 2);
  }),

  promise('brings everyone through who reads again after losing', async ({ store }) => {
    await store.create({ id: 's' });
    const write = async (text: string): Promise<void> => {
      for (;;) {
        const { head } = (await store.session('s'))!;
        try {
          await store.append('s', [{ body: user(text) }], { expectedHead: head });
          return;
        } catch (error) {
          if (!isThroughlineError(error, 'head-moved')) throw error;
        }
      }
    };
    const texts = Array.from({ length: 12 }, (_, n) => `writer ${n}`);
    await Promise.all(texts.map(write));
    deepEqual(said(await store.read('s')).sort(), [...texts].sort());
  }),
];
