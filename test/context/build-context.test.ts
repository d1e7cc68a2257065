import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistory } from './check-history.ts';
import { anyHistory } from './histories.ts';

describe('every context', () => {
  it('fits, is whole, and is what its provider takes, over 1,000 random histories', () => {
    fc.assert(
      fc.property(anyHistory({ most: 15 }), (history) => {
        expect(checkHistory(history, [history.state.model!])).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  }, 300_000);
});
