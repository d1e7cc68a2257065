import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHidden, isMarked, isPinned, type Target } from '../../src/record/index.ts';
import { compaction, logOf, user } from '../../src/testing/index.ts';

const log = logOf(...Array.from({ length: 30 }, (_, n) => user(`${n}`)));
/** Written as the 31st entry, about the entries 5 to 8. */
const summary = logOf(
  ...Array.from({ length: 30 }, (_, n) => user(`${n}`)),
  compaction({ covers: { from: 5, to: 8 } }),
).at(-1)!;
const BY_ID = [{ entry: summary.id }];
const WHERE_WRITTEN = [{ from: 30, to: 32 }];
const BOTH_HALVES = [
  { from: 1, to: 6 },
  { from: 7, to: 9 },
];

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.nat(29).map((n) => ({ entry: log[n]!.id })),
  fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(5)).map(([from, more]) => ({ from, to: from + more })),
);

describe('a message', () => {
  it('is marked by its id and by every range that holds its number', () => {
    fc.assert(
      fc.property(fc.array(target, { maxLength: 8 }), (targets) => {
        for (const entry of log) {
          const expected = targets.some((one) =>
            'entry' in one ? one.entry === entry.id : one.from <= entry.seq && entry.seq <= one.to,
          );
          for (const compactions of ['by-number', 'by-cover', 'by-id'] as const)
            expect(isMarked(targets, entry, { compactions })).toBe(expected);
          expect(isPinned({ pinned: targets }, entry)).toBe(expected);
          expect(isHidden({ excluded: targets, removed: [] }, entry)).toBe(expected);
          expect(isHidden({ excluded: [], removed: targets }, entry)).toBe(expected);
        }
      }),
    );
  });
});

describe('a compaction', () => {
  it('is marked by its id, and by a range where it was written', () => {
    expect(isMarked(BY_ID, summary)).toBe(true);
    expect(isMarked(WHERE_WRITTEN, summary)).toBe(true);
    expect(isMarked(BOTH_HALVES, summary)).toBe(false);
  });

  it('is hidden by its id, and by ranges that together hold all it covers, not where it was written', () => {
    for (const list of ['excluded', 'removed'] as const) {
      const hides = (targets: Target[]) => isHidden({ excluded: [], removed: [], [list]: targets }, summary);
      expect(hides(BY_ID)).toBe(true);
      expect(hides(BOTH_HALVES)).toBe(true);
      expect(hides(WHERE_WRITTEN)).toBe(false);
      expect(hides([{ from: 6, to: 9 }])).toBe(false);
    }
  });

  it('is pinned by its id alone', () => {
    expect(isPinned({ pinned: BY_ID }, summary)).toBe(true);
    expect(isPinned({ pinned: [...BOTH_HALVES, ...WHERE_WRITTEN] }, summary)).toBe(false);
  });
});
