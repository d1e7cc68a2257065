import fc from 'fast-check';
import { expect, it } from 'vitest';
import { docId, keyOf, seqOf } from '../../../src/search/index/doc-id.ts';
import { docRanges, intersectRanges } from '../../../src/search/index/doc-ranges.ts';

const range = fc
  .tuple(fc.nat(60), fc.integer({ min: -2, max: 10 }))
  .map(([from, length]) => ({ from, to: from + length }));
const ranges = fc.array(range, { maxLength: 12 });
const inAny = (parts: readonly { from: number; to: number }[], doc: number) =>
  parts.some(({ from, to }) => from <= doc && doc <= to);

it('holds what one of its ranges holds', () => {
  fc.assert(
    fc.property(ranges, fc.nat(75), (parts, doc) => {
      expect(docRanges(parts).has(doc)).toBe(inAny(parts, doc));
    }),
  );
});

it('shares what both hold', () => {
  fc.assert(
    fc.property(ranges, ranges, fc.nat(75), (a, b, doc) => {
      const both = intersectRanges(docRanges(a), docRanges(b));
      expect(both.has(doc)).toBe(inAny(a, doc) && inAny(b, doc));
    }),
  );
});

it('gives session and seq back from a number', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 25 - 1), fc.nat(2 ** 28 - 1), (key, seq) => {
      const doc = docId(key, seq);
      expect([Number.isSafeInteger(doc), keyOf(doc), seqOf(doc)]).toEqual([true, key, seq]);
    }),
  );
});
