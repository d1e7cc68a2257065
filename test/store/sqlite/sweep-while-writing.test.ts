import { describe, expect, it } from 'vitest';
import type { Store, SweepOptions } from '../../../src/store/index.ts';
import { assistant, conversation, setting, user } from '../../../src/testing/index.ts';
import { openFile } from '../../session/stores.ts';

const SOUND = { problems: [] };

/** Does something once, right after the entries of one of the sessions were read. */
function onceRead(
  session: number,
  work: () => Promise<unknown>,
): SweepOptions & { done(): Promise<unknown> | undefined } {
  let doing: Promise<unknown> | undefined;
  let read = 0;
  return {
    onProgress() {
      if (++read === session) doing = work();
    },
    done: () => doing,
  };
}

/** Three sessions of a few entries each, and a second connection to their file. */
async function threeSessions() {
  const bench = await openFile({ durability: 'normal' });
  for (const id of ['a', 'b', 'c']) {
    await bench.store.create({ id }, conversation(setting('title', `Old ${id}`), user('x'), assistant('y')));
  }
  return { bench, store: bench.store, other: await bench.connect() };
}

const CHANGES: readonly { what: string; change(store: Store): Promise<unknown> }[] = [
  { what: 'appends', change: (store) => store.append('b', conversation(user('meanwhile'))) },
  { what: 'tags', change: (store) => store.append('b', conversation(setting('tag', 'new'))) },
  { what: 'creates', change: (store) => store.create({ id: 'd' }, conversation(user('meanwhile'))) },
  { what: 'purges', change: (store) => store.purge('b') },
  {
    what: 'forks what was checked already',
    change: (store) => store.create({ id: 'f', parent: { session: 'a', relation: 'fork', seq: 3 } }),
  },
  {
    what: 'forks what was not checked yet',
    change: (store) => store.create({ id: 'f', parent: { session: 'c', relation: 'fork', seq: 2 } }),
  },
  {
    what: 'purges and creates another',
    change: (store) =>
      Promise.all([store.purge('b'), store.create({ id: 'd' }, conversation(user('meanwhile')))]),
  },
  {
    what: 'makes all of them longer',
    async change(store) {
      for (const id of ['c', 'b', 'a']) {
        await store.append(
          id,
          Array.from({ length: 600 }, () => ({ body: user('meanwhile') })),
        );
      }
    },
  },
];

/** Each of them while the first session is being looked at, the second, and the last. */
const MOMENTS = CHANGES.flatMap((change) => [1, 2, 3].map((session) => ({ ...change, session })));

describe('a store that is checked while it is written to', () => {
  it.each(MOMENTS)(
    'is sound when another process $what after session $session',
    async ({ change, session }) => {
      const { bench, store, other } = await threeSessions();
      await using _ = bench;
      const options = onceRead(session, () => change(other));
      const { stored, listed, problems } = await store.verify(options);
      await options.done();
      expect(problems).toEqual([]);
      expect(stored).toBe(listed);
      expect(await store.verify()).toMatchObject(SOUND);
    },
  );

  it.each(MOMENTS)('is sound when this process $what after session $session', async ({ change, session }) => {
    const { bench, store } = await threeSessions();
    await using _ = bench;
    const options = onceRead(session, () => change(store));
    expect(await store.verify(options)).toMatchObject(SOUND);
    await options.done();
  });
});

describe('a store that is rebuilt while it is written to', () => {
  it.each(MOMENTS)(
    'follows from its logs when another process $what after session $session',
    async ({ change, session }) => {
      const { bench, store, other } = await threeSessions();
      await using _ = bench;
      const options = onceRead(session, () => change(other));
      const { changed } = await store.rebuild(options);
      await options.done();
      expect(changed).toEqual([]);
      expect(await store.verify()).toMatchObject(SOUND);
      expect((await store.rebuild()).changed).toEqual([]);
    },
  );
});
