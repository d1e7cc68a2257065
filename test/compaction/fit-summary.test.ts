import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitSummary } from '../../src/compaction/fit-summary.ts';
import { renderSummary } from '../../src/summary/index.ts';
import { countText } from '../../src/tokens/index.ts';

const text = fc.lorem({ maxCount: 30 });
const lines = fc.array(fc.record({ text, from: fc.array(fc.uuid(), { minLength: 1, maxLength: 3 }) }), {
  maxLength: 30,
});
const summaries = fc.record({
  background: text,
  overview: fc.lorem({ maxCount: 12, mode: 'sentences' }),
  topics: lines,
  decisions: lines,
  completed: lines,
  pending: lines,
  blockers: lines,
  facts: lines,
  files: fc.array(
    fc.record({ path: fc.lorem({ maxCount: 1 }), operations: fc.constant<string[]>(['read']) }),
    {
      maxLength: 20,
    },
  ),
  ledger: fc.array(fc.record({ kind: fc.constant('command'), text, entry: fc.uuid() }), { maxLength: 40 }),
});

describe('a summary that is made to fit', () => {
  it('has at most so many tokens, and only whole lines of the original in their order, with their sources', () => {
    fc.assert(
      fc.property(summaries, fc.integer({ min: 120, max: 4_000 }), (summary, maxTokens) => {
        const fitted = fitSummary(summary, maxTokens);
        expect(countText(renderSummary(fitted))).toBeLessThanOrEqual(maxTokens);
        for (const list of [
          'topics',
          'decisions',
          'completed',
          'pending',
          'blockers',
          'facts',
          'files',
          'ledger',
        ] as const) {
          const places = fitted[list].map((line) => (summary[list] as unknown[]).indexOf(line));
          expect(places).not.toContain(-1);
          expect(places).toEqual([...places].sort((a, b) => a - b));
        }
        if (countText(renderSummary(summary)) <= maxTokens) expect(fitted).toBe(summary);
      }),
      { numRuns: 150 },
    );
  });
});
