import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinBlocks, packBlock, type Vectored } from '../../../src/search/meaning/vector-block.ts';
import { createVectorRows } from '../../../src/search/meaning/vector-rows.ts';

const DIMENSIONS = 20;
const vector = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS });

function cosine(a: Int8Array, b: Int8Array): number {
  const dot = (left: Int8Array, right: Int8Array) =>
    left.reduce((sum, value, k) => sum + value * right[k]!, 0);
  return dot(a, b) / ((Math.sqrt(dot(a, a)) || 1) * (Math.sqrt(dot(b, b)) || 1));
}

function messageOf(doc: number, ...vectors: readonly Int8Array[]): Vectored {
  return {
    doc,
    role: doc % 4,
    at: doc * 10,
    vectors: Uint8Array.from(vectors.flatMap((one) => [...new Uint8Array(one.buffer)])),
  };
}

it('compares one vector with all others as one would by hand, in however many blocks', () => {
  const blocks = fc.array(fc.array(vector, { minLength: 1, maxLength: 8 }), { maxLength: 5 });
  fc.assert(
    fc.property(blocks, vector, (all, query) => {
      const rows = createVectorRows(DIMENSIONS);
      const expected = new Map<number, number>();
      for (const [number, vectors] of all.entries()) {
        const messages = vectors.map((one, index) => messageOf(number * 100 + index, one));
        rows.add(number + 1, packBlock(messages, DIMENSIONS));
        for (const [index, one] of vectors.entries()) expected.set(number * 100 + index, cosine(one, query));
      }
      const seen = new Map<number, number>();
      const { count, sum } = rows.scan(query, undefined, (doc, value) => {
        seen.set(doc, value);
        return Number.NEGATIVE_INFINITY;
      });
      expect([...seen.keys()]).toEqual([...expected.keys()]);
      for (const [doc, value] of expected) {
        expect(seen.get(doc)).toBeCloseTo(value, 5);
        expect(rows.cosineOf(Math.floor(doc / 100) + 1, doc, query)).toBeCloseTo(Math.max(0, value), 5);
      }
      expect(count).toBe(expected.size);
      expect(sum).toBeCloseTo(
        [...expected.values()].reduce((total, value) => total + value, 0),
        4,
      );
    }),
  );
});

it('passes over missing rows, and takes the nearest of the vectors of a message', () => {
  const unit = (at: number) => Int8Array.from({ length: DIMENSIONS }, (_, k) => (k === at ? 127 : 0));
  const rows = createVectorRows(DIMENSIONS);
  rows.add(
    1,
    packBlock([messageOf(1, unit(0), unit(1)), messageOf(2, unit(1)), messageOf(3, unit(0))], DIMENSIONS),
  );
  const seen: number[] = [];
  rows.scan(
    unit(0),
    (doc) => doc !== 3,
    (doc) => {
      seen.push(doc);
      return 0.5;
    },
  );
  expect(seen).toEqual([1]);
  for (const [doc, value] of [
    [1, 1],
    [2, 0],
    [3, 1],
    [4, 0],
  ] as const)
    expect(rows.cosineOf(1, doc, unit(0))).toBeCloseTo(value, 5);
  expect(rows.cosineOf(9, 1, unit(0))).toBe(0);
});

it('keeps every row when there are many, and passes over blocks of another length', () => {
  const rows = createVectorRows(DIMENSIONS);
  const values = (doc: number) =>
    Int8Array.from({ length: DIMENSIONS }, (_, k) => ((doc * 7 + k * 13) % 255) - 127);
  for (let from = 0; from < 10_000; from += 1000) {
    const messages = Array.from({ length: 1000 }, (_, n) => messageOf(from + n, values(from + n)));
    rows.add(from + 1, packBlock(messages, DIMENSIONS));
  }
  rows.add(99_999, packBlock([{ doc: 5, at: 0, role: 0, vectors: new Uint8Array(8).fill(1) }], 8));
  const { count, top } = rows.scan(values(9_876), undefined, () => 2);
  expect(count).toBe(10_000);
  expect(top).toBeCloseTo(1, 5);
});

it('joins blocks into one that has the same vectors, less those that are not to be kept', () => {
  const messages = fc.uniqueArray(fc.tuple(fc.nat(50), vector), {
    selector: ([doc]) => doc,
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(messages, fc.nat(5), fc.nat(50), (all, parts, gone) => {
      const pieces = Map.groupBy(all, (_, index) => index % (parts + 1));
      const rising = (some: typeof all) =>
        packBlock(
          [...some].sort(([a], [b]) => a - b).map(([doc, one]) => messageOf(doc, one)),
          DIMENSIONS,
        );
      const joined = joinBlocks([...pieces.values()].map(rising), (doc) => doc !== gone);
      const kept = all.filter(([doc]) => doc !== gone);
      expect(joined).toEqual(
        kept.length === 0 ? expect.objectContaining({ docs: new Float64Array(0) }) : rising(kept),
      );
    }),
  );
});
