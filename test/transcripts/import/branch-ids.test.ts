import { expect, it } from 'vitest';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';
import { readCodex } from '../../../src/transcripts/formats/codex/read.ts';
import { ordinary } from '../formats/codex/rollouts.ts';
import { importText, logOfSession } from '../transfer.ts';

/** Imports a file, goes on with the session, and imports what the file has grown to: the id of the branch. */
async function importBranch(store: Store): Promise<string> {
  const lines = ordinary().trimEnd().split('\n');
  const [first] = await importText(store, readCodex, `${lines.slice(0, -2).join('\n')}\n`);
  await store.append(first!.id, [{ body: user('here') }]);
  const [second] = await importText(store, readCodex, ordinary());
  return second!.id;
}

it('an imported branch is not written into a session that has its id and is no fork', async () => {
  const taken = await importBranch(createMemoryStore());
  const store = createMemoryStore();
  await store.create({ id: taken }, [{ body: user('mine') }]);
  const branch = await importBranch(store);
  expect(branch).not.toBe(taken);
  expect(await logOfSession(store, taken)).toHaveLength(1);
  expect(await importBranch(store)).toBe(branch);
});
