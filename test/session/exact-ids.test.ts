import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isThroughlineError } from '../../src/errors.ts';
import { canonicalSessionId, newEntryId } from '../../src/record/index.ts';
import {
  createSession,
  forkSession,
  getSession,
  hideSession,
  openOrCreateSession,
  openSession,
  pinEntries,
  purgeSession,
  readConversation,
  readLineage,
  resumeSession,
  tagSession,
  titleSession,
  trashSession,
  watchSession,
} from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { conversation, setting, summaryOf, user } from '../../src/testing/index.ts';
import { claimOf } from '../../src/testing/store-contract/promise.ts';
import { hashLogs } from '../support/hash-logs.ts';
import { STORES } from './stores.ts';

const UUID = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const SPELLINGS = [UUID, UUID.toUpperCase(), UUID.replace('a', 'A')];

/** Starts of one another, the same in another case, numbers, and one UUID in several spellings. */
const IDS = [
  'x',
  'x_2',
  'x_20',
  'X',
  'user-a',
  'user-ann',
  'User-Ann',
  '1',
  '12',
  'session_20261117_035843',
  ...SPELLINGS,
];

type Use = (store: Store, id: string) => Promise<unknown>;

const WRITES: Record<string, Use> = {
  append: (store, id) => store.append(id, conversation(user('more'))),
  'append once': (store, id) => store.append(id, [{ id: newEntryId(), body: user('more') }]),
  'append a setting': (store, id) => store.append(id, conversation(setting('plan', 'b'))),
  lease: async (store, id) => {
    await store.claimLease(id, claimOf('mine'));
    await store.releaseLease(id, 'mine');
  },
  rewrite: (store, id) => store.rewrite(id, []),
  open: async (store, id) => {
    await using session = await openSession(store, id);
    await session.append([user('more')]);
    return session.read();
  },
  join: async (store, id) => {
    await using session = await openSession(store, id, { mode: 'join' });
    await session.append([user('more')]);
  },
  title: (store, id) => titleSession(store, id, 'x_2'),
  tag: (store, id) => tagSession(store, id, 'x_2'),
  archive: hideSession,
  trash: trashSession,
  pin: async (store, id) => pinEntries(await openSession(store, id, { mode: 'join' }), { from: 1, to: 1 }),
  purge: async (store, id) => purgeSession(store, await getSession(store, id)),
  'purge at once': (store, id) => store.purge(id),
};

const READS: Record<string, Use> = {
  get: getSession,
  read: (store, id) => store.read(id),
  entry: (store, id) => store.entry(id, newEntryId()),
  'open to read': async (store, id) => {
    await using session = await openSession(store, id, { mode: 'read' });
    return [session.info, await session.read()];
  },
  conversation: async (store, id) => readConversation(store, await getSession(store, id)),
  lineage: async (store, id) => readLineage(store, await getSession(store, id)),
  watch: async (store, id) => {
    for await (const entry of watchSession(store, id)) return entry;
    return undefined;
  },
};

/** These make the session if there is none. */
const MAKES: Record<string, Use> = {
  create: async (store, id) => (await createSession(store, { id, title: 'x' })).close(),
  'create in the store': (store, id) => store.create({ id }, conversation(user('new'))),
  'open or create': async (store, id) => {
    await using session = await openOrCreateSession(store, id, { title: 'x' });
    await session.append([user('more')]);
    return session.read();
  },
};

/** These make another session, with an id that is made. */
const BRANCHES: Record<string, Use> = {
  fork: async (store, id) => void (await forkSession(store, await getSession(store, id))),
  resume: async (store, id) => {
    const options = { summary: summaryOf('so far') };
    await (await resumeSession(store, await getSession(store, id), options)).close();
  },
};

const USES = { ...WRITES, ...READS, ...MAKES, ...BRANCHES };
const name = fc.constantFrom(...IDS);
const calls = fc.array(
  fc.record({ use: fc.constantFrom(...Object.keys(USES)), id: name, times: fc.constantFrom(1, 1, 2) }),
  { minLength: 5, maxLength: 25 },
);
const born = fc.uniqueArray(fc.record({ id: name, title: name }), {
  selector: ({ id }) => canonicalSessionId(id),
  minLength: 3,
});

/** What a program may be told about a session that is there and is not as the call needs it. */
const REFUSALS = ['session-exists', 'session-not-trashed', 'session-has-forks', 'summary-missing'];

const markerOf = (id: string) => `marker<${canonicalSessionId(id)}>`;

describe.each(STORES)('every call of the library on a $kind store', ({ open }) => {
  it('reads and writes no session but the one whose id is exactly the one given', async () => {
    await fc.assert(
      fc.asyncProperty(born, calls, async (sessions, asked) => {
        await using bench = await open();
        const { store } = bench;
        const purged = new Set<string>();
        for (const { id, title } of sessions)
          await store.create({ id }, conversation(setting('title', title), user(markerOf(id))));
        for (const { use, id, times } of asked)
          for (let time = 0; time < times; time++) {
            const own = canonicalSessionId(id);
            const before = await hashLogs(store);
            const [answer, error] = await USES[use]!(store, id).then(
              (value) => [value, undefined],
              (reason: unknown) => [undefined, reason],
            );
            const after = await hashLogs(store);
            const about = `${use} of ${id}`;
            const code = isThroughlineError(error) ? error.code : error;
            if (purged.has(own)) expect(code, about).toBe('session-gone');
            else if (before[own] === undefined)
              expect(code, about).toBe(use in MAKES ? undefined : 'session-not-found');
            else if (code !== undefined) expect(REFUSALS, about).toContain(code);
            for (const other of new Set([...Object.keys(before), ...Object.keys(after)])) {
              const isMade = use in BRANCHES && code === undefined && before[other] === undefined;
              if (other !== own && !isMade)
                expect(after[other], `${about} changed ${other}`).toBe(before[other]);
            }
            if (use in READS) expect(after[own], `${about} wrote`).toBe(before[own]);
            for (const other of IDS)
              if (canonicalSessionId(other) !== own && use !== 'lineage')
                expect(JSON.stringify(answer) ?? '', `${about} read ${other}`).not.toContain(markerOf(other));
            if (before[own] !== undefined && after[own] === undefined) purged.add(own);
          }
      }),
      { numRuns: 100 },
    );
  }, 120_000);
});
