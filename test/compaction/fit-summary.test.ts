import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitSummary } from '../../src/compaction/fit-summary.ts';
import { emptySummary } from '../../src/record/index.ts';
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
  it('keeps its only decision, task, blocker and result for as long as there are facts', () => {
    const line = (text: string) => ({ text, from: [] });
    const summary = {
      ...emptySummary('It was about the release.'),
      decisions: [line('Use Postgres 16')],
      completed: [line('Renamed the package')],
      pending: [line('Rotate the signing key before Friday')],
      blockers: [line('Waiting for legal')],
      facts: Array.from({ length: 40 }, (_, n) => line(`Fact number ${n} about the host db${n}.example.com`)),
    };
    const whole = countText(renderSummary(summary));
    for (const maxTokens of [whole - 5, Math.floor(whole / 2), Math.floor(whole / 4)]) {
      const { decisions, completed, pending, blockers, facts } = fitSummary(summary, maxTokens);
      expect([decisions, completed, pending, blockers].map((list) => list.length)).toEqual([1, 1, 1, 1]);
      expect(facts.length).toBeGreaterThan(0);
      expect(facts.length).toBeLessThan(40);
    }
  });

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
