import { expect, it } from 'vitest';
import type { Store } from '../../../src/store/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { checkStoreModel } from '../store-model.ts';

const CONNECTIONS = 3;

/** One store to the caller, but every call goes over another connection to the file, as if from another process. */
async function openInTurns(file: string): Promise<Store> {
  const stores = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openSqliteStore(file, { durability: 'normal' })),
  );
  let turn = 0;
  return new Proxy(stores[0]!, {
    get(first, name) {
      if (name === Symbol.asyncDispose)
        return async () => {
          for (const store of stores) await store[Symbol.asyncDispose]();
        };
      const member: unknown = Reflect.get(first, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const store = stores[turn++ % CONNECTIONS]!;
        return (Reflect.get(store, name) as (...args: unknown[]) => unknown).apply(store, args);
      };
    },
  });
}

it('agrees with a naive model when every call comes over another connection', async () => {
  using folder = tempFolder();
  const open = (run: number) => openInTurns(folder.file(`store-${run}.db`));
  await expect(checkStoreModel({ open, reopenable: true }, { runs: 60 })).resolves.toBeUndefined();
});
