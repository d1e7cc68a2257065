import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVectorRows } from '../../../src/recall/meaning/vector-rows.ts';

const DIMENSIONS = 20;
const row = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS });

function cosine(a: Int8Array, b: Int8Array): number {
  const dot = (left: Int8Array, right: Int8Array) =>
    left.reduce((sum, value, k) => sum + value * right[k]!, 0);
  return dot(a, b) / ((Math.sqrt(dot(a, a)) || 1) * (Math.sqrt(dot(b, b)) || 1));
}

it('compares one vector with all others as one would by hand', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), row, (rows, query) => {
      const vectors = createVectorRows(DIMENSIONS);
      for (const [doc, values] of rows.entries())
        vectors.add({ doc, vectors: new Uint8Array(values.buffer), role: 1, at: doc * 10 });
      const seen: [number, number, number][] = [];
      vectors.compare(query, ({ doc, cosine: value, at }) => void seen.push([doc, at, value]));
      expect(seen.map(([doc, at]) => [doc, at])).toEqual(rows.map((_, doc) => [doc, doc * 10]));
      for (const [doc, , value] of seen) expect(value).toBeCloseTo(cosine(rows[doc]!, query), 5);
    }),
  );
});

it('keeps every row when there are many', () => {
  const vectors = createVectorRows(DIMENSIONS);
  const values = (doc: number) =>
    Int8Array.from({ length: DIMENSIONS }, (_, k) => ((doc * 7 + k * 13) % 255) - 127);
  for (let doc = 0; doc < 10_000; doc++)
    vectors.add({ doc, vectors: new Uint8Array(values(doc).buffer), role: 0, at: 0 });
  let best = { doc: -1, cosine: -1 };
  vectors.compare(values(9_876), ({ doc, cosine: value }) => {
    if (value > best.cosine + 1e-6 || doc === 9_876)
      best = value >= best.cosine - 1e-6 ? { doc, cosine: value } : best;
  });
  expect(best.cosine).toBeCloseTo(1, 5);
});
