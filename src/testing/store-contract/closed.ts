import { rejects } from 'node:assert/strict';
import { newEntryId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { user } from '../messages.ts';
import { claimOf, promise } from './promise.ts';

type Asked = { readonly [Method in keyof Store]?: (store: Store) => Promise<unknown> };

const CALLS = {
  create: (store) => store.create({ id: 'new' }),
  session: (store) => store.session('s'),
  find: (store) => store.find('s', { limit: 1 }),
  list: (store) => store.list({ limit: 1 }),
  count: (store) => store.count(),
  append: (store) => store.append('s', [{ body: user('a') }]),
  read: (store) => store.read('s'),
  entry: (store) => store.entry('s', newEntryId()),
  entries: (store) => store.entries([]),
  rewrite: (store) => store.rewrite('s', []),
  blob: (store) => store.blob('ab'.repeat(32)),
  claimLease: (store) => store.claimLease('s', claimOf('mine')),
  lease: (store) => store.lease('s'),
  releaseLease: (store) => store.releaseLease('s', 'mine'),
  purge: (store) => store.purge('s'),
  probe: (store) => store.probe(),
  verify: (store) => store.verify(),
  rebuild: (store) => store.rebuild(),
} satisfies Asked;

export const closedPromises = [
  ...Object.entries(CALLS).map(([method, call]) =>
    promise(`answers "${method}" with store-closed once it is closed`, async ({ store }) => {
      await store.create({ id: 's' }, [{ body: user('a') }]);
      await store[Symbol.asyncDispose]();
      await rejects(call(store), { code: 'store-closed' });
    }),
  ),

  promise('may be closed twice', async ({ store }) => {
    await store[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  }),
];
