import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { docId, keyOf } from '../../src/search/index/doc-id.ts';
import { lendToNeighbours } from '../../src/search/words/rank-messages.ts';

describe('what a message gets of the scores around it', () => {
  it('comes from its own session alone, also at the beginning of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 6 }), (key, seq) => {
        const lent = lendToNeighbours(new Map([[docId(key, seq), 1]]));
        expect([...lent.keys()].filter((doc) => keyOf(doc) !== key)).toEqual([]);
        expect(lent.size).toBeGreaterThan(3);
      }),
    );
  });
});
