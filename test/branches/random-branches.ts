import fc from 'fast-check';
import { expect } from 'vitest';
import { diffBranches, mergeBranch, previewMerge } from '../../src/branches/index.ts';
import { compactSession, PRESETS, readCheckpoint } from '../../src/compaction/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import { CheckpointList, type EntryBody, emptySummary, type Summary } from '../../src/record/index.ts';
import { forkSession, openSession, resumeSession } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { sameLine, sayTheSame } from '../../src/summary/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';

const thing = fc.constantFrom('the cache', 'the sessions', 'the docs', 'the limits', 'the prices');
const way = fc.constantFrom('files', 'Redis', 'a map', 'a table with 100 rows', 'a table with 200 rows');
const turn = fc.record({ thing, way, tool: fc.boolean(), answered: fc.boolean() });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('talk' as const), in: fc.nat(9), turn }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const), of: fc.nat(9), at: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('compact' as const), in: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), of: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      from: fc.nat(9),
      into: fc.nat(9),
      rule: fc.constantFrom('ours' as const, 'theirs' as const, 'both' as const),
    }),
  },
);

function bodiesOf(
  { thing: what, way: how, tool, answered }: { thing: string; way: string; tool: boolean; answered: boolean },
  n: number,
): EntryBody[] {
  const call = `call-${n}`;
  const path = `src/${how.replaceAll(' ', '-')}.ts`;
  const steps = tool
    ? [toolCall('write', { path }, { id: call }), toolResult('write', 'ok', { id: call })]
    : [];
  const answer = answered
    ? [assistant(`We decided to use ${how} for ${what}. It took ${n} ms to try it.`)]
    : [];
  return [user(`Please try ${how} for ${what}.`), ...steps, ...answer];
}

const infoOf = async (store: Store, id: string) => (await store.session(id))!;

/** Merges and checks all that a merge promises. */
async function mergeAndCheck(
  store: Store,
  { from, into, rule }: { from: string; into: string; rule: 'ours' | 'theirs' | 'both' },
) {
  const [before, branch] = [await store.read(into), await infoOf(store, from)];
  const preview = await previewMerge(store, await infoOf(store, into), branch, { rule });
  expect(await store.read(into)).toEqual(before);
  const old = await readCheckpoint(store, await infoOf(store, into));
  await using session = await openSession(store, into);
  const { entry, patch, left, nothing } = await mergeBranch(session, branch, { rule, plan: preview.plan });
  const after = await store.read(into);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.length - before.length).toBe(nothing ? 0 : 1);

  // Every line that was to come is there, and every line that is gone was said to go.
  const now = await readCheckpoint(store, session.info);
  for (const list of CheckpointList.options) {
    const has = (text: string) => now[list].some((line) => sayTheSame(line.text, text));
    for (const { text, from: sources } of patch.added[list]) {
      expect(has(text)).toBe(true);
      expect(sources.length).toBeGreaterThan(0);
    }
    const dropped = patch.dropped.filter((line) => line.list === list);
    for (const { text } of old[list])
      expect(has(text) || dropped.some((line) => sameLine(line.text, text))).toBe(true);
  }
  if (rule === 'theirs') expect(left).toEqual([]);
  if (entry) expect(entry.body).toMatchObject({ kind: 'merge', branch: from, head: branch.head });

  // Done again there is nothing to do, and neither side says anything the other has not heard of.
  const again = await previewMerge(store, session.info, branch);
  expect([again.nothing, again.brings, again.conflicts]).toEqual([true, [], []]);
}

/** Whatever is said, forked, resumed, compacted and merged: a merge does what it said, loses nothing and is done once. */
export async function checkRandomBranches(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24, size: 'max' }), async (steps) => {
      const store = createMemoryStore();
      await store.create({ id: 's0' });
      const ids = ['s0'];
      const pick = (n: number) => ids[n % ids.length]!;
      for (const [n, next] of steps.entries()) {
        if (next.do === 'talk')
          await store.append(
            pick(next.in),
            bodiesOf(next.turn, n).map((body) => ({ body })),
          );
        if (next.do === 'fork') {
          const parent = await infoOf(store, pick(next.of));
          await forkSession(store, parent, { id: `s${ids.length}`, at: next.at % (parent.head + 1) });
          ids.push(`s${ids.length}`);
        }
        if (next.do === 'resume') {
          const parent = await infoOf(store, pick(next.of));
          const { files, ...lists } = await readCheckpoint(store, parent);
          const summary = { ...emptySummary('What came before'), ...structuredClone(lists) } as Summary;
          await (await resumeSession(store, parent, { summary, birth: { id: `s${ids.length}` } })).close();
          ids.push(`s${ids.length}`);
        }
        if (next.do === 'compact') {
          await using session = await openSession(store, pick(next.in));
          await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 1 } } }).catch(
            (error) => {
              const small =
                isThroughlineError(error, 'nothing-to-compact') ||
                isThroughlineError(error, 'summary-rejected');
              if (!small) throw error;
            },
          );
        }
        if (next.do === 'merge' && pick(next.from) !== pick(next.into))
          await mergeAndCheck(store, { from: pick(next.from), into: pick(next.into), rule: next.rule });
      }
      // A branch from anywhere, in which nothing is said, says nothing different.
      const last = await infoOf(store, ids.at(-1)!);
      const quiet = await forkSession(store, last, { id: 'quiet' });
      const { changes, conflicts, files } = await diffBranches(store, last, quiet);
      expect([changes, conflicts, files]).toEqual([[], [], []]);
    }),
    { numRuns },
  );
}
