import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitFacts } from '../../../src/project/facts/fit-facts.ts';
import { foldFacts } from '../../../src/project/facts/read-memory.ts';
import { showFacts } from '../../../src/project/facts/show-facts.ts';
import { countText } from '../../../src/tokens/index.ts';
import { anyText } from '../../record/arbitraries.ts';
import { added, logOf, type Step } from './logs.ts';

const shown = (steps: readonly Step[]) => showFacts(foldFacts(logOf(steps)));
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => added(`f${n}`, `Fact with the number ${n} in words`));

/** What the frame around the facts takes at most. */
const FRAME = fitFacts(shown([added('a', 'x')]), { limit: 1 }).budget.used;

describe('within its budget', () => {
  it('shows everything, oldest first, and says how much room is left', () => {
    const { text, budget, leftOut } = fitFacts(shown(lines(3)), { limit: 1000 });
    expect(text.match(/the number \d/g)).toEqual(['the number 0', 'the number 1', 'the number 2']);
    expect(leftOut).toEqual([]);
    expect(budget).toMatchObject({ limit: 1000, stored: 3, loaded: 3, left: 1000 - budget.used });
  });

  it('says nothing when nothing is known', () => {
    expect(fitFacts([])).toMatchObject({ text: '', budget: { used: 0, left: 4000, stored: 0, loaded: 0 } });
  });
});

describe('over its budget', () => {
  it('keeps the newest and names every one that is left out, to people and to the model', () => {
    const { text, budget, leftOut } = fitFacts(shown(lines(200)), { limit: 600 });
    expect(text).toContain('the number 199');
    expect(text).not.toContain('the number 0 ');
    expect(text).toContain(`(${leftOut.length} older facts are not shown`);
    expect(leftOut.every(({ reason }) => reason === 'over-budget')).toBe(true);
    expect(budget).toMatchObject({ left: 0, stored: 200, loaded: 200 - leftOut.length });
    expect(budget.used).toBeGreaterThan(600);
  });
});

it('never takes more than its budget and never loses count, whatever the facts are', () => {
  const anyFacts = fc.array(
    anyText.filter((text) => text.trim() !== ''),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(anyFacts, fc.integer({ min: FRAME, max: 800 }), (texts, limit) => {
      const facts = shown(texts.map((text, n) => added(`f${n}`, text)));
      const { text, budget, leftOut } = fitFacts(facts, { limit });
      expect(countText(text)).toBeLessThanOrEqual(limit);
      expect(budget.loaded + leftOut.length).toBe(budget.stored);
      expect(budget.stored).toBe(facts.length);
      expect(fitFacts(facts, { limit }).text).toBe(text);
    }),
  );
});
