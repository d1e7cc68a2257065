import { expect, it } from 'vitest';
import { createLibrary, type Library } from '../../../src/faces/mcp/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';

async function storeWithTalk(): Promise<Store> {
  const store = createMemoryStore();
  await store.create({ id: 'talk' }, [{ body: user('The port is 8080.') }]);
  return store;
}

const indexOf = async (library: Library) => (await (await library.app()).index()).current();

it('does not keep a question waiting for an index that takes long, and says how far it is', async () => {
  const store = await storeWithTalk();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow: Store = {
    ...store,
    async list(query) {
      await released;
      return store.list(query);
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  await using library = createLibrary({ find: async () => slow, patienceMs: 10 });
  expect((await indexOf(library)).behind).toEqual({ done: 0, total: 0 });
  release();
  const patient = createLibrary({ find: async () => slow });
  const { recall, behind } = await indexOf(patient);
  expect(behind).toBeNull();
  expect(await recall.search('port', { place: 'active' })).toHaveLength(1);
});

it('looks again for a store that was not there or could not be opened', async () => {
  const store = await storeWithTalk();
  const answers: (() => Promise<Store | undefined>)[] = [
    async () => undefined,
    async () => {
      throw new Error('busy');
    },
    async () => store,
  ];
  let asked = 0;
  await using library = createLibrary({ find: () => answers[Math.min(asked++, 2)]!() });
  expect((await (await library.store()).list({ limit: 1 })).sessions).toEqual([]);
  await expect(library.store()).rejects.toThrow('busy');
  expect(await library.store()).toBe(store);
  expect(await library.store()).toBe(store);
  expect(asked).toBe(3);
  expect(await library.writable()).toBeUndefined();
});

it('makes a store only to write, and once', async () => {
  const store = createMemoryStore();
  let made = 0;
  await using library = createLibrary({
    find: async () => undefined,
    make: async () => {
      made++;
      return store;
    },
  });
  expect((await library.app()).store).not.toBe(store);
  expect(made).toBe(0);
  expect(await Promise.all([library.writable(), library.writable()])).toEqual([store, store]);
  expect(await library.store()).toBe(store);
  expect(made).toBe(1);
});
