// A store of one's own: here one that reports every write, built around another. The published contract says whether
// it keeps the promises that sessions rely on.
import assert from 'node:assert/strict';
import { createMemoryStore, createSession, type Store } from 'throughline';
import { storeContract, user } from 'throughline/testing';

function reportWrites(store: Store, report: (session: string, entries: number) => void): Store {
  return {
    ...store,
    async append(id, entries, options) {
      const appended = await store.append(id, entries, options);
      report(id, appended.length);
      return appended;
    },
  };
}

// Every case opens a fresh store with the clock that the case has in its hands.
const cases = storeContract(async ({ now }) => reportWrites(createMemoryStore({ now }), () => {}));
for (const { group, name, run } of cases) {
  await run().catch((cause: unknown) => assert.fail(`${group}: ${name}\n${(cause as Error).message}`));
}
console.log(`${cases.length} promises kept`);

// Sessions do not care which store they are in.
const reports: string[] = [];
await using store = reportWrites(createMemoryStore(), (session, entries) =>
  reports.push(`${session}: ${entries}`),
);
await using session = await createSession(store, { id: 'here' });
await session.append([user('Hello')]);
assert.deepEqual(reports, ['here: 1']);

// A store that forgets something is found out.
const forgetful = storeContract(async ({ now }) => ({
  ...createMemoryStore({ now }),
  claimLease: async (_, { token, owner, ttlMs }) => ({ token, owner, expiresAt: now() + ttlMs }),
}));
const outcomes = await Promise.allSettled(forgetful.map(({ run }) => run()));
const broken = forgetful.filter((_, index) => outcomes[index]!.status === 'rejected');
assert(broken.some(({ group }) => group === 'lease'));
