import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore, openStore } from '../../src/store/index.ts';
import { STORES } from '../session/stores.ts';
import { startChild, tempFolder } from './child.ts';

/** The neighbours in order of which one starts the other; if any two do, so do some neighbours. */
function clashes(ids: readonly string[]): string[] {
  const sorted = ids.toSorted();
  return sorted.filter((id, n) => sorted[n + 1]?.startsWith(id));
}

it('sessions that four processes start in one second have ids that start no other, purged ones included', async () => {
  using folder = tempFolder();
  const file = folder.file('store.db');
  await (await openStore(file))[Symbol.asyncDispose]();
  const children = [1, 2, 3, 4].map(() => startChild('create-many.ts', [file, '40']));
  for (const { ended } of children) expect(await ended).toMatchObject({ code: 0, stderr: '' });
  const ids = children.flatMap(({ lines }) => lines);
  expect([new Set(ids).size, clashes(ids)]).toEqual([160, []]);
  await using store = await openStore(file, { readOnly: true });
  expect((await store.count()).active).toBe(128);
}, 300_000);

it.each(STORES)(
  'new ids start no id that is or was in a $kind store, whatever hosts call their sessions',
  async ({ open }) => {
    const NOW = Date.UTC(2025, 11, 30, 11, 21, 53);
    const probe = createMemoryStore();
    const plain = (await createSession(probe, { agent: 'sally' }, { now: () => NOW })).id;
    const given = fc.uniqueArray(
      fc.oneof(
        fc.nat(plain.length - 1).map((length) => plain.slice(0, length + 1)),
        fc.constantFrom('', '_2', '_b', 'x').map((end) => plain + end),
        fc.constantFrom('b', 'c', 'd').map((code) => plain.replace('sally_', `sally_${code}_`)),
        fc.constantFrom('sally_b', 'sally_c_', 'sally_d_2025').map((start) => start),
      ),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(given, fc.nat(8), fc.integer({ min: 1, max: 12 }), async (hosts, purges, count) => {
        await using bench = await open();
        const { store } = bench;
        for (const id of hosts) await store.create({ id });
        for (const id of hosts.slice(0, purges)) await store.purge(id);
        const made = await Promise.all(
          Array.from({ length: count }, () => createSession(store, { agent: 'sally' }, { now: () => NOW })),
        );
        const ids = made.map(({ id }) => id);
        for (const id of ids)
          for (const other of [...hosts, ...ids])
            if (other !== id || hosts.includes(id))
              expect([id.startsWith(other), other.startsWith(id)], `${id} and ${other}`).toEqual([
                false,
                false,
              ]);
        for (const session of made) await session.close();
      }),
      { numRuns: 60 },
    );
  },
  120_000,
);

it('a session gets an id also where a host has taken every letter and digit', async () => {
  await using store = createMemoryStore();
  for (const id of 'abcdefghijklmnopqrstuvwxyz0123456789') await store.create({ id });
  const [one, two] = await Promise.all([createSession(store), createSession(store)]);
  expect(one.id).not.toBe(two.id);
});
