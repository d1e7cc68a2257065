import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isThroughlineError } from '../../../src/errors.ts';
import { findSession, openOrCreateSession } from '../../../src/session/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { user } from '../../../src/testing/index.ts';
import { claimOf, said } from '../../../src/testing/store-contract/promise.ts';
import { tempFolder } from '../../flows/child.ts';

const LOWER = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const UPPER = LOWER.toUpperCase();
const MIXED = LOWER.replace('a', 'A').replace('f', 'F');
const SPELLINGS = [LOWER, UPPER, MIXED] as const;

/** A store as an older version wrote it: each spelling is a session of its own, whose first message is its id. */
async function openOldStore(file: string, ids: readonly string[]): Promise<Store> {
  {
    await using store = await openSqliteStore(file);
    await store.create({ id: `${LOWER}_2` }, [{ body: user('another') }]);
    for (const [index, id] of ids.entries()) await store.create({ id: `old-${index}` }, [{ body: user(id) }]);
  }
  using db = new DatabaseSync(file);
  for (const [index, id] of ids.entries())
    db.prepare('update sessions set id = ? where id = ?').run(id, `old-${index}`);
  return openSqliteStore(file);
}

const codeOf = (error: unknown) => (isThroughlineError(error) ? error.code : error);

/** The text of the first message of the session that a call reached, or why it reached none. */
const CALLS: Record<string, (store: Store, id: string) => Promise<unknown>> = {
  session: async (store, id) => {
    const info = await store.session(id);
    return firstOf(store, info?.id ?? id);
  },
  read: firstOf,
  append: async (store, id) => {
    await store.append(id, [{ body: user('more') }]);
    return firstOf(store, id);
  },
  lease: async (store, id) => {
    await store.claimLease(id, claimOf('mine'));
    expect(await store.lease(id)).toBeDefined();
    await store.releaseLease(id, 'mine');
    expect(await store.lease(id)).toBeUndefined();
    return firstOf(store, id);
  },
  create: async (store, id) => {
    await expect(store.create({ id })).rejects.toSatisfy(
      (error) => codeOf(error) === 'session-exists' || codeOf(error) === 'session-gone',
    );
    return firstOf(store, id);
  },
  'open or create': async (store, id) => {
    await using session = await openOrCreateSession(store, id);
    return said(await session.read())[0];
  },
};

async function firstOf(store: Store, id: string): Promise<unknown> {
  return said(await store.read(id, { limit: 1 }))[0];
}

describe('a UUID that a store of an older version has in several spellings', () => {
  it('means the session of its exact spelling, purged or not, and another only where it has none', async () => {
    const step = fc.record({
      call: fc.constantFrom(...Object.keys(CALLS), 'purge', 'purge'),
      id: fc.constantFrom(...SPELLINGS),
    });
    const stored = fc.subarray([...SPELLINGS], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(stored, fc.array(step, { minLength: 3, maxLength: 12 }), async (ids, steps) => {
        using folder = tempFolder();
        await using store = await openOldStore(folder.file('store.db'), ids);
        const there = new Set<string>(ids);
        const gone = new Set<string>();
        for (const { call, id } of steps) {
          const meant = there.has(id)
            ? id
            : gone.has(id)
              ? undefined
              : [LOWER, MIXED, UPPER].find((spelling) => there.has(spelling));
          const about = `${call} of ${id}, with ${[...there]}, without ${[...gone]}`;
          if (call === 'purge') {
            const purging = store.purge(id).catch(codeOf);
            if (meant === undefined) expect(await purging, about).toBe('session-gone');
            else expect(await purging, about).toMatchObject({ entries: expect.any(Number) });
            if (meant !== undefined) {
              there.delete(meant);
              gone.add(meant);
            }
          } else {
            expect(await CALLS[call]!(store, id).catch(codeOf), about).toBe(meant ?? 'session-gone');
          }
          const { sessions } = await store.list({ limit: 10 });
          expect(new Set(sessions.map((info) => info.id)), about).toEqual(new Set([...there, `${LOWER}_2`]));
          expect(await firstOf(store, `${LOWER}_2`)).toBe('another');
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it.each([LOWER, UPPER, MIXED])(
    'is found by its start in any case, and changes are reported under the id that is stored (%s)',
    async (id) => {
      using folder = tempFolder();
      await using store = await openOldStore(folder.file('store.db'), [id]);
      for (const spelling of SPELLINGS)
        for (const length of [8, 12, 30, 36]) {
          const start = spelling.slice(0, length);
          const found = (await store.find(start, { limit: 5 })).map((info) => info.id);
          expect(found, start).toContain(id);
          if (length === 36) expect((await findSession(store, start)).id).toBe(id);
        }
      const changed = new Promise((resolve) => store.onChange(resolve));
      await store.append(SPELLINGS.find((spelling) => spelling !== id)!, [{ body: user('more') }]);
      expect(await changed).toBe(id);
    },
  );
});
