import { expect, it } from 'vitest';
import { fitLoad } from '../../src/compaction/fit-load.ts';
import { PRESETS } from '../../src/compaction/index.ts';
import { summaryBudget } from '../../src/compaction/summary-budget.ts';
import { emptySummary } from '../../src/record/index.ts';
import { assistant, compaction, logOf, user } from '../../src/testing/index.ts';

const theirs = 'A line about a part of the work, as another program told of it. '.repeat(1_200);
const long = 'It was told at length. '.repeat(80);
const entries = logOf(
  compaction({ covers: { from: 1, to: 1 }, by: { kind: 'import' }, summary: emptySummary(theirs) }),
  ...Array.from({ length: 200 }, (_, n) => [user(`Ask ${n}`), assistant(long)]).flat(),
).map((entry) => ({ ...entry, tokens: entry.seq === 1 ? 16_000 : 400 }));
const tokensBefore = entries.reduce((sum, { tokens }) => sum + tokens, 0);
/** By itself, a compaction has the budget that the window leaves to it. */
const budgetIn = (window: number) =>
  fitLoad({ tokens: window * 0.8, room: window * 0.9, lines: 1, messages: 1 }, PRESETS.balanced).budget;

it.each([
  { by: 'one that was asked for', summaryTokens: undefined, room: 6_000 },
  { by: 'one by itself in a window of 200,000', summaryTokens: budgetIn(200_000), room: 6_000 },
  { by: 'one by itself in a window of 32,768', summaryTokens: budgetIn(32_768), room: budgetIn(32_768) },
])("another program's summary has as much room as ours may take, in $by", ({ summaryTokens, room }) => {
  const budget = summaryBudget(
    { tokensBefore, entries },
    summaryTokens === undefined ? {} : { summaryTokens },
  );
  expect(budget.foreignTokens).toBe(room);
  expect(budget.maxTokens).toBeLessThanOrEqual(room);
});
