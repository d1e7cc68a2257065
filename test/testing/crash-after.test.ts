import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/index.ts';
import { conversation, crashAfter, user } from '../../src/testing/index.ts';

describe('crashAfter', () => {
  it.each([0, 1, 2])('lets %i writes through and none after', async (writes) => {
    await using store = createMemoryStore();
    await store.create({ id: 's' });
    const dying = crashAfter(store, writes);
    const append = (text: string) => dying.append('s', conversation(user(text)));
    for (let n = 0; n < writes; n++) await append(`${n}`);
    await expect(append('lost')).rejects.toThrow('crash');
    await expect(append('lost too')).rejects.toThrow('crash');
    expect((await store.session('s'))?.head).toBe(writes);
  });

  it('counts what writes the log: creating, appending, purging', async () => {
    await using store = createMemoryStore();
    const dying = crashAfter(store, 3);
    await dying.create({ id: 's' });
    await dying.append('s', conversation(user('a')));
    await dying.purge('s');
    await expect(dying.create({ id: 't' })).rejects.toThrow('crash');
    expect(await store.count()).toEqual({ active: 0, archived: 0, trashed: 0 });
  });

  it('does not count reading and leases', async () => {
    await using store = createMemoryStore();
    await store.create({ id: 's' });
    const dying = crashAfter(store, 1);
    const owner = { name: 'a', host: 'here', pid: 1, startedAt: 'then' };
    for (let n = 0; n < 3; n++) {
      await dying.claimLease('s', { token: 't', owner, ttlMs: 1000 });
      await dying.releaseLease('s', 't');
      await dying.read('s');
      await dying.list({ limit: 1 });
    }
    await dying.append('s', conversation(user('a')));
  });

  it('answers nothing at all once it has crashed', async () => {
    await using store = createMemoryStore();
    await store.create({ id: 's' });
    const dying = crashAfter(store, 0);
    await expect(dying.purge('s')).rejects.toThrow('crash');
    await expect(dying.read('s')).rejects.toThrow('crash');
    await expect(dying.session('s')).rejects.toThrow('crash');
    await expect(dying.releaseLease('s', 't')).rejects.toThrow('crash');
  });

  it('leaves the store to the test, also when it is disposed', async () => {
    await using store = createMemoryStore();
    {
      await using dying = crashAfter(store, 0);
      await expect(dying.create({ id: 's' })).rejects.toThrow('crash');
    }
    await store.create({ id: 's' });
    expect(store.facts).toEqual(crashAfter(store, 0).facts);
  });

  it('passes hints on', async () => {
    await using store = createMemoryStore();
    const hint = new Promise((resolve) => crashAfter(store, 0).onChange(resolve));
    await store.create({ id: 's' });
    expect(await hint).toBe('s');
  });
});
