import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveSessionId } from '../../../../src/record/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import { readThroughline } from '../../../../src/transcripts/formats/throughline/read.ts';
import { writeThroughline } from '../../../../src/transcripts/formats/throughline/write.ts';
import { importFound } from '../../../../src/transcripts/import/import-found.ts';
import { textSource } from '../../../../src/transcripts/source/open-source.ts';
import { exportText, hashes, logOfSession, sessionsOf } from '../../transfer.ts';

const ANN = 'user-ann';

type Purged = 'again' | 'leave-out';

function importBackup(store: Store, text: string, purged: Purged) {
  const source = textSource(text, { changedAt: 1, name: 'backup' });
  return importFound(store, readThroughline(source), { format: 'throughline', file: 'backup', purged });
}

/** The backup of a session, and of a fork of it, with a time that no other session has. */
async function backup(): Promise<{ text: string; said: string[]; forked: string[] }> {
  const store = createMemoryStore();
  await store.create({ id: ANN, createdAt: 5 }, [{ body: user('secret') }, { body: assistant('kept') }]);
  const parent = { session: ANN, relation: 'fork', seq: 2 } as const;
  await store.create({ id: 'ann-fork', createdAt: 6, parent }, [{ body: user('in the fork') }]);
  return {
    text: await exportText(store, ANN, writeThroughline),
    said: await entryIds(store, ANN),
    forked: await entryIds(store, 'ann-fork'),
  };
}

async function entryIds(store: Store, id: string): Promise<string[]> {
  return (await logOfSession(store, id)).map((entry) => entry.id);
}

/** Every session with its log and its parent. */
async function snapshot(store: Store) {
  const logs = await hashes(store);
  return new Map((await sessionsOf(store)).map(({ id, parent }) => [id, { log: logs[id], parent }]));
}

const others = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(
      ANN,
      `${ANN}_2`,
      `${ANN}_3`,
      deriveSessionId(ANN, 2),
      deriveSessionId(ANN, 3),
      'ann-fork',
      'ann-fork_2',
      deriveSessionId('ann-fork', 2),
    ),
    texts: fc.array(fc.string(), { maxLength: 3 }),
  }),
  { selector: ({ id }) => id },
);

describe('the backup of a session', () => {
  it('is never imported into another session, nor as family of one', async () => {
    await fc.assert(
      fc.asyncProperty(
        others,
        fc.subarray([ANN, 'ann-fork']),
        fc.constantFrom<Purged>('again', 'leave-out'),
        async (sessions, gone, purged) => {
          const { text, said, forked } = await backup();
          const store = createMemoryStore();
          for (const id of gone) {
            await store.create({ id });
            await store.purge(id);
          }
          for (const { id, texts } of sessions.filter((one) => !gone.includes(one.id)))
            await store.create(
              { id, createdAt: 100 },
              texts.map((each) => ({ body: user(each) })),
            );
          const empty = sessions.filter(({ texts }) => texts.length === 0).map(({ id }) => id);
          // An empty session with the very id is the one that a person restores into.
          const mayGrow = (id: string) => [ANN, 'ann-fork'].includes(id) && empty.includes(id);
          const before = await snapshot(store);
          const [report, fork] = await importBackup(store, text, purged);
          const after = await snapshot(store);
          for (const [id, was] of before) if (!mayGrow(id)) expect(after.get(id)).toEqual(was);
          for (const [id, { parent }] of after)
            if (parent && !before.has(id)) expect(parent.session).toBe(report!.id);

          const isOut = (id: string) => purged === 'leave-out' && gone.includes(id);
          expect([report!.purged, fork!.purged]).toEqual([
            isOut(ANN) ? true : undefined,
            isOut('ann-fork') ? true : undefined,
          ]);
          if (!isOut(ANN)) expect(await entryIds(store, report!.id)).toEqual(said);
          if (!isOut(ANN) && !isOut('ann-fork') && !mayGrow('ann-fork'))
            expect(await entryIds(store, fork!.id)).toEqual(forked);

          const again = await importBackup(store, text, purged);
          expect(again.map(({ id, added }) => ({ id, added }))).toEqual(
            [report, fork].map((one) => ({ id: one!.id, added: 0 })),
          );
          expect(await snapshot(store)).toEqual(after);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is imported into the one that a killed import has made under another id', async () => {
    const { text, said } = await backup();
    const store = createMemoryStore();
    await store.create({ id: ANN });
    await store.purge(ANN);
    const made = deriveSessionId(ANN, 2);
    await store.create({ id: made, createdAt: 5 });
    const [report] = await importBackup(store, text, 'again');
    expect([report!.id, await entryIds(store, made)]).toEqual([made, said]);
  });

  it('is known by its first entry that can be read', async () => {
    const { text, said } = await backup();
    const store = createMemoryStore();
    await importBackup(store, text, 'again');
    const lines = text.split('\n');
    const torn = lines.map((line, index) => (index === 2 ? line.slice(0, 40) : line)).join('\n');
    const [report] = await importBackup(store, torn, 'again');
    expect(report!.damageKinds).toMatchObject({ torn: 1, lost: 1 });
    expect(report!.id).toBe(ANN);
    expect((await entryIds(store, ANN)).slice(0, 2)).toEqual(said);
  });
});
