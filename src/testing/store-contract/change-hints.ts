import { deepEqual, equal, ok } from 'node:assert/strict';
import type { SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { conversation, user } from '../messages.ts';
import { promise, said } from './promise.ts';

/** Resolves with the next hint about `session`; a store may hint without saying which session it was. */
function nextHint(store: Store, session: SessionId): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.onChange((changed) => {
      if (changed !== undefined && changed !== session) return;
      stop();
      resolve();
    });
  });
}

export const changeHintPromises = [
  promise('hints at an append soon after it, and the entries can be read then', async ({ store }) => {
    await store.create({ id: 's' });
    const hint = nextHint(store, 's');
    await store.append('s', [{ body: user('a') }]);
    await hint;
    deepEqual(said(await store.read('s')), ['a']);
  }),

  promise('hints at sessions that come and go', async ({ store }) => {
    const created = nextHint(store, 's');
    await store.create({ id: 's' });
    await created;
    const purged = nextHint(store, 's');
    await store.purge('s');
    await purged;
    equal(await store.session('s'), undefined);
  }),

  promise('hints at every one of many appends to somebody who reads from a cursor', async ({ store }) => {
    await store.create({ id: 's' });
    const seen: string[] = [];
    const following = (async () => {
      for (let after = 0; after < 20; ) {
        const hint = nextHint(store, 's');
        const entries = await store.read('s', { after });
        if (entries.length === 0) await hint;
        seen.push(...said(entries));
        after += entries.length;
      }
    })();
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`);
    for (const text of texts) await store.append('s', conversation(user(text)));
    await following;
    deepEqual(seen, texts);
  }),

  promise('never calls a listener in the middle of a call to the store', async ({ store }) => {
    await store.create({ id: 's' });
    let calling = false;
    let interrupted = false;
    store.onChange(() => {
      interrupted ||= calling;
    });
    const hint = nextHint(store, 's');
    calling = true;
    const appending = store.append('s', [{ body: user('a') }]);
    calling = false;
    await Promise.all([appending, hint]);
    ok(!interrupted);
  }),

  promise('tells every listener, and none that has stopped', async ({ store }) => {
    await store.create({ id: 's' });
    let stoppedCalls = 0;
    const stop = store.onChange(() => {
      stoppedCalls++;
    });
    stop();
    stop();
    const hints = [nextHint(store, 's'), nextHint(store, 's')];
    await store.append('s', [{ body: user('a') }]);
    await Promise.all(hints);
    const stopLate = store.onChange(() => {
      stoppedCalls++;
    });
    const hint = nextHint(store, 's');
    const appending = store.append('s', [{ body: user('b') }]);
    stopLate();
    await Promise.all([appending, hint]);
    equal(stoppedCalls, 0);
  }),

  promise('is not broken by a listener that throws', async ({ store }) => {
    await store.create({ id: 's' });
    const stop = store.onChange(() => {
      throw new Error('a listener that throws');
    });
    const hint = nextHint(store, 's');
    await store.append('s', [{ body: user('a') }]);
    await hint;
    stop();
    await store.append('s', [{ body: user('b') }]);
    deepEqual(said(await store.read('s')), ['a', 'b']);
  }),

  promise('may be asked from inside a listener', async ({ store }) => {
    await store.create({ id: 's' });
    const answered = new Promise<void>((resolve, reject) => {
      const stop = store.onChange(() => {
        stop();
        store.append('s', [{ body: user('answer') }]).then(() => resolve(), reject);
      });
    });
    await store.append('s', [{ body: user('question') }]);
    await answered;
    deepEqual(said(await store.read('s')), ['question', 'answer']);
  }),
];
