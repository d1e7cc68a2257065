import { expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import type { EntryId } from '../../src/record/index.ts';
import { createSession, excludeEntries, readConversation } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const settings = { ...PRESETS.balanced, keep: { messages: 0 } };
const work = (step: number) =>
  assistant(`Step ${step} of the migration is in part-${step}.ts now. `.repeat(6));

async function summaryOf(exclude: (ids: readonly EntryId[]) => readonly EntryId[]): Promise<string> {
  await using session = await createSession(createMemoryStore());
  const entries = await session.append([
    user('Move the heron ledger to the new schema.'),
    ...[1, 2, 3, 4].map(work),
  ]);
  const ids = exclude(entries.map(({ id }) => id));
  if (ids.length > 0) await excludeEntries(session, ...ids.map((entry) => ({ entry })));
  await compactSession(session, { settings });
  const { frontier } = await readConversation(session.store, await session.refresh());
  return JSON.stringify(frontier.filter(({ body }) => body.kind === 'compaction').map(({ body }) => body));
}

it('the request of a summarised range is in its summary', async () => {
  expect(await summaryOf(() => [])).toContain('heron');
});

it('a request that was excluded is in no summary of the messages behind it', async () => {
  expect(await summaryOf(([request]) => [request!])).not.toContain('heron');
});
