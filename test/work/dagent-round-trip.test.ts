import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptySummary, type Summary, type SummaryLine } from '../../src/record/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { openWork } from '../../src/work/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { makeRepository } from './workshop.ts';

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
  .map((given) => given.replace(/\s+/g, ' ').trim())
  .filter((given) => given !== '');
const list = fc.array(
  text.map((given): SummaryLine => ({ text: given, from: [] })),
  { maxLength: 3 },
);
const file = fc.record({
  path: text,
  operations: fc.constantFrom('read', 'write', 'edit').map((operation) => [operation]),
});
const summaries: fc.Arbitrary<Summary[]> = fc.array(
  fc
    .record({
      overview: text.map((given) => `${given} parts of the form were looked at`),
      completed: list,
      pending: list,
      decisions: list,
      blockers: list,
      facts: list,
      files: fc.array(file, { maxLength: 3 }) as fc.Arbitrary<Summary['files']>,
    })
    .map((fields) => ({ ...emptySummary(), ...fields })),
  { minLength: 1, maxLength: 3 },
);

it('a request shows the same checkpoint, facts and files included, after the layout was read elsewhere', async () => {
  await fc.assert(
    fc.asyncProperty(summaries, async (given) => {
      using repository = makeRepository({ git: false });
      const folder = repository.path;
      let round = 0;
      const summariser = scripted(() => ({ summary: given[round]! }));
      await using store = createMemoryStore();
      await using work = await openWork(store, { folder, summariser, recall: false });
      await work.setFeature('auth');
      const id = await work.createSession('pm-feature', 'auth');
      for (; round < given.length; round++) {
        for (let n = 1; n <= 6; n++)
          await work.addMessage(id, n % 2 ? 'user' : 'assistant', `Part ${n} of the form, round ${round}.`);
        await work.compact(id);
      }
      await work.exportLayout();
      await using other = createMemoryStore();
      await using there = await openWork(other, { folder, recall: false });
      expect((await there.importLayout()).damaged).toEqual([]);
      const [ours, theirs] = await Promise.all(
        [work, there].map(async (one) => {
          const session = (await one.getActiveSession('auth'))!;
          const { systemPrompt } = await one.buildRequest(session, 'Go on.');
          const { version, summary } = await one.checkpoint(session);
          return { version, summary, shown: systemPrompt.slice(systemPrompt.indexOf('# Checkpoint')) };
        }),
      );
      expect(theirs).toEqual(ours);
    }),
    { numRuns: 30 },
  );
}, 60_000);
