import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../src/context/match-marks.ts';
import type { Target } from '../../src/record/index.ts';
import { compaction, logOf, user } from '../../src/testing/index.ts';

const log = logOf(...Array.from({ length: 30 }, (_, n) => user(`${n}`)));

describe('marks', () => {
  it('match by id and by range, as looking at each of them would', () => {
    const target: fc.Arbitrary<Target> = fc.oneof(
      fc.nat(29).map((n) => ({ entry: log[n]!.id })),
      fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(5)).map(([from, more]) => ({ from, to: from + more })),
    );
    fc.assert(
      fc.property(fc.array(target, { maxLength: 8 }), (targets) => {
        const isMarked = createMatcher(targets);
        for (const entry of log) {
          const expected = targets.some((one) =>
            'entry' in one ? one.entry === entry.id : one.from <= entry.seq && entry.seq <= one.to,
          );
          expect(isMarked(entry)).toBe(expected);
        }
      }),
    );
  });

  it('match a compaction by its id, and by what it covers only when asked to', () => {
    const [entry] = logOf(compaction({ covers: { from: 5, to: 8 } }));
    const targets = [
      { from: 1, to: 6 },
      { from: 7, to: 9 },
    ];
    expect(createMatcher(targets)(entry!)).toBe(false);
    expect(createMatcher(targets, { covered: true })(entry!)).toBe(true);
    expect(createMatcher([{ from: 6, to: 9 }], { covered: true })(entry!)).toBe(false);
    expect(createMatcher([{ entry: entry!.id }])(entry!)).toBe(true);
  });
});
