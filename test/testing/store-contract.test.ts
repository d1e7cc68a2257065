import { describe, expect, it } from 'vitest';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { type ContractCase, storeContract } from '../../src/testing/index.ts';

/** Which cases fail for a memory store with one thing broken in it. */
async function failures(breakIt: (store: Store) => Partial<Store>): Promise<string[]> {
  const cases = storeContract(async (options) => {
    const store = createMemoryStore(options);
    return { ...store, ...breakIt({ ...store }) };
  });
  const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
  return cases.filter((_, index) => outcomes[index]!.status === 'rejected').map(({ group }) => group);
}

describe('the store contract', () => {
  it('is kept by a memory store that nothing was done to', async () => {
    expect(await failures(() => ({}))).toEqual([]);
  });

  it('has a name for every case, and no name twice', () => {
    const names = storeContract(async () => createMemoryStore()).map(
      ({ group, name }: ContractCase) => `${group}: ${name}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it.each<{ what: string; group: string; breakIt: (store: Store) => Partial<Store> }>([
    {
      what: 'gives repeats a new id',
      group: 'repeat',
      breakIt: ({ append }) => ({
        append: (id, entries, options) =>
          append(
            id,
            entries.map(({ id: _, ...entry }) => entry),
            options,
          ),
      }),
    },
    {
      what: 'forgets what the writer has seen',
      group: 'expected head',
      breakIt: ({ append }) => ({
        append: (id, entries, { expectedHead: _, ...options } = {}) => append(id, entries, options),
      }),
    },
    {
      what: 'lets anyone write',
      group: 'lease',
      breakIt: ({ append }) => ({
        append: (id, entries, { lease: _, ...options } = {}) => append(id, entries, options),
      }),
    },
    {
      what: 'takes the lease from holders who are alive',
      group: 'lease',
      breakIt: ({ claimLease, releaseLease }) => ({
        async claimLease(id, claim) {
          if (claim.replaces) await releaseLease(id, 'alive');
          return claimLease(id, claim);
        },
      }),
    },
    {
      what: 'counts a limit from the old end',
      group: 'read',
      breakIt: ({ read }) => ({
        async read(id, { limit, order, ...range } = {}) {
          const page = await read(id, { ...range, ...(limit !== undefined && { limit }) });
          return order === 'newest-first' ? page.reverse() : page;
        },
      }),
    },
    {
      what: 'finds entries in any session, whichever was named',
      group: 'read',
      breakIt: ({ entry }) => ({
        entries: (named) => Promise.all(named.map((name) => entry('s', name.entry))),
      }),
    },
    {
      what: 'forks from the head, wherever it was told to',
      group: 'fork',
      breakIt: ({ create, session }) => ({
        async create({ parent, ...rest }, entries) {
          const head = parent && (await session(parent.session))?.head;
          return create({ ...rest, ...(parent && { parent: { ...parent, seq: head ?? 0 } }) }, entries);
        },
      }),
    },
    {
      what: 'pages by counting',
      group: 'list',
      breakIt: ({ list }) => ({
        async list({ limit, cursor = '0', ...query }) {
          const { sessions } = await list({ ...query, limit: 1000 });
          const end = Number(cursor) + limit;
          const page = sessions.slice(Number(cursor), end);
          return { sessions: page, ...(sessions.length > end && { cursor: `${end}` }) };
        },
      }),
    },
    {
      what: 'finds only ids',
      group: 'find',
      breakIt: ({ find }) => ({
        find: async (text, options) => (await find(text, options)).filter(({ id }) => id.startsWith(text)),
      }),
    },
    {
      what: 'still answers after it was closed',
      group: 'closed store',
      breakIt: () => ({ count: async () => ({ active: 0, archived: 0, trashed: 0 }) }),
    },
    {
      what: 'loses the first byte of a blob',
      group: 'blobs',
      breakIt: ({ blob }) => ({ blob: async (hash) => (await blob(hash)).slice(1) }),
    },
    {
      what: 'does not look at its entries when it verifies',
      group: 'sweep',
      breakIt: ({ verify }) => ({ verify: async (options) => ({ ...(await verify(options)), entries: 0 }) }),
    },
  ])('notices a store that $what', async ({ group, breakIt }) => {
    expect(await failures(breakIt)).toContain(group);
  });
});
