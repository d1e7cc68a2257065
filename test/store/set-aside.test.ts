import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlobRef, isBlobRef } from '../../src/record/index.ts';
import { wholeBody } from '../../src/store/entry-format.ts';
import { type Blob, INLINE_LIMIT, setAside } from '../../src/store/set-aside.ts';
import { anyJson, anyText } from '../record/arbitraries.ts';

const BIG = INLINE_LIMIT + 1;

/** What is left inline as it is read back from JSON text, the blobs, and everything put together again. */
async function split(value: unknown): Promise<{ inline: unknown; blobs: Blob[]; whole: unknown }> {
  const blobs: Blob[] = [];
  const inline = JSON.parse(JSON.stringify({ value: setAside(value, blobs) })).value;
  const bytes = new Map(blobs.map((blob) => [blob.hash, blob.bytes]));
  const whole = await wholeBody(inline, async (hash) => bytes.get(hash)!);
  return { inline, blobs, whole };
}

/** JSON with strings, bytes and foreign references of any size in it. */
const anyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyJson,
    anyText.map((text) => text.padEnd(BIG, text || 'x')),
    fc.integer({ min: INLINE_LIMIT - 2, max: INLINE_LIMIT + 2 }).map((length) => 'y'.repeat(length)),
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.alloc(BIG, bytes).toString('base64')),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    // A foreign reference becomes one blob of JSON, so there is no place for bytes in it.
    anyJson.map((value) => ({ $blob: value, more: 'z'.repeat(BIG) })),
  ),
})).value;

describe('setting aside', () => {
  it('gives every value back exactly as it was', async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        const { whole, blobs } = await split({ value });
        expect(whole).toStrictEqual({ value });
        for (const { hash, bytes } of blobs)
          expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves nothing in the entry that a reader could take for a reference and is none', async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        const { inline, blobs } = await split({ value });
        const known = new Set(blobs.map(({ hash }) => hash));
        for (const ref of refsIn(inline)) {
          expect(BlobRef.safeParse(ref).success).toBe(true);
          expect(known.has(ref.$blob)).toBe(true);
        }
      }),
    );
  });

  it('returns the same object when there was nothing to set aside', () => {
    const value = { a: [1, { b: 'x' }], c: null };
    expect(setAside(value, [])).toBe(value);
  });

  it('leaves the object it was given alone', () => {
    const value = Object.freeze({ a: Object.freeze(['x'.repeat(BIG), new Uint8Array(3)]) });
    expect(setAside(value, [])).not.toBe(value);
    expect(value.a[0]).toHaveLength(BIG);
  });

  it.each([
    { length: INLINE_LIMIT, blobs: 0 },
    { length: INLINE_LIMIT + 1, blobs: 1 },
  ])('keeps a text of $length characters with $blobs blobs', async ({ length, blobs }) => {
    expect((await split('x'.repeat(length))).blobs).toHaveLength(blobs);
  });

  it('moves the largest fields of a large body, and keeps the small ones in sight', async () => {
    const value = {
      type: 'tool-result',
      id: 'c',
      small: ['x'],
      rows: Array.from({ length: 9000 }, (_, n) => ({ n })),
    };
    const { inline, whole } = await split(value);
    expect(inline).toMatchObject({ type: 'tool-result', id: 'c', small: ['x'], rows: { as: 'json' } });
    expect(whole).toEqual(value);
  });

  it('keeps the label of an object in sight even when all of it is set aside', () => {
    const blobs: Blob[] = [];
    const long = 'l'.repeat(2000);
    const part = { [long]: long, type: long, $blob: 'mine' };
    expect(setAside(part, blobs, { label: 'type' })).toMatchObject({ type: long, as: 'json' });
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, long]));
    expect(setAside({ ...wide, type: long + long }, blobs, { label: 'type' })).toMatchObject({
      type: long + long,
    });
  });

  it('keeps everything in place without a limit, except what JSON text cannot hold', () => {
    const text = 'x'.repeat(BIG);
    const inPlace = setAside({ text, bytes: new Uint8Array(1), mine: { $blob: 1 } }, [], {
      limit: Number.POSITIVE_INFINITY,
    });
    expect(inPlace).toMatchObject({ text, bytes: { as: 'bytes' }, mine: { as: 'json' } });
  });
});

describe('a reference', () => {
  it.each([
    { value: 'word '.repeat(10_000), as: 'text', preview: 'word '.repeat(40) },
    { value: '😀'.repeat(BIG), as: 'text', preview: '😀'.repeat(200) },
    { value: `\ud800${'x'.repeat(BIG)}`, as: 'json', preview: `\ufffd${'x'.repeat(199)}` },
    { value: 'QUJD'.repeat(BIG), as: 'base64', preview: 'QUJD'.repeat(50) },
    { value: 'A'.repeat(4 * BIG + 1), as: 'text', preview: 'A'.repeat(200) },
    { value: `${'QUJD'.repeat(BIG)}QR==`, as: 'text', preview: 'QUJD'.repeat(50) },
    { value: new Uint8Array(5), as: 'bytes', preview: '' },
    { value: new Uint8Array(5).buffer, as: 'bytes', preview: '' },
  ])('to $as says so and begins with $preview', ({ value, as, preview }) => {
    expect(setAside(value, [])).toMatchObject({ as, preview });
  });

  it('says how many tokens a text is worth', () => {
    expect((setAside('word '.repeat(10_000), []) as BlobRef).tokens).toBeGreaterThan(1000);
  });
});

describe('a value that is not JSON', () => {
  it.each([
    { value: new Date(0), stored: '1970-01-01T00:00:00.000Z', why: 'a date is its text' },
    { value: new URL('https://example.com/a'), stored: 'https://example.com/a', why: 'a URL is its text' },
    { value: [undefined, 1], stored: [null, 1], why: 'a gap in a list is null, as JSON has it' },
    {
      value: Object.assign(Object.create(null), { a: 1 }),
      stored: { a: 1 },
      why: 'an object without ancestors is one',
    },
  ])('is written as $stored, because $why', async ({ value, stored }) => {
    expect((await split({ value })).whole).toEqual({ value: stored });
  });

  const circle: Record<string, unknown> = {};
  circle.again = [circle];
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level++) deep = [deep];
  class Point {
    x = 1;
  }

  it.each([
    { what: 'NaN', value: Number.NaN },
    { what: 'infinity', value: Number.NEGATIVE_INFINITY },
    { what: 'a bigint', value: 1n },
    { what: 'a symbol', value: Symbol('s') },
    { what: 'a function', value: () => 1 },
    { what: 'a Map', value: new Map([[1, 2]]) },
    { what: 'a Set', value: new Set([1]) },
    { what: 'an object of a class', value: new Point() },
    { what: 'an Error', value: new Error('lost') },
    { what: 'other numbers than bytes', value: new Float32Array(2) },
    { what: 'a DataView', value: new DataView(new ArrayBuffer(2)) },
    { what: 'a circle', value: circle },
    { what: 'a value nested 5000 deep', value: deep },
  ])('is refused if it is $what, also inside a foreign reference', ({ value }) => {
    for (const holder of [value, [value], { a: { b: value } }, { $blob: 'x', value }]) {
      expect(() => setAside(holder, [])).toThrow(expect.objectContaining({ code: 'entry-invalid' }));
    }
  });

  it('is refused if it is bytes inside a foreign reference', () => {
    expect(() => setAside({ $blob: 'x', bytes: Buffer.from('x') }, [])).toThrow(/Buffer/);
  });
});

function refsIn(value: unknown): BlobRef[] {
  if (typeof value !== 'object' || value === null) return [];
  return isBlobRef(value) ? [value] : Object.values(value).flatMap(refsIn);
}
