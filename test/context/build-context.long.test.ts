import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistory } from './check-history.ts';
import { anyHistory } from './histories.ts';
import { MODELS } from './provider-rules.ts';

describe('every context', () => {
  it('fits, is whole, and is what each of four providers takes, over 10,000 random histories', () => {
    fc.assert(
      fc.property(anyHistory({ most: 25 }), (history) => {
        expect(checkHistory(history, Object.keys(MODELS))).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  }, 3_600_000);
});
