import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deriveEntryId,
  EntryId,
  entryIdBytes,
  entryIdFromBytes,
  entryIdTime,
  isEntryId,
  newEntryId,
  toEntryId,
} from '../../src/record/index.ts';
import { anyText } from './arbitraries.ts';

describe('a new entry id', () => {
  it('is a version 7 UUID', () => {
    expect(newEntryId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sorts after every id made before, also many within one millisecond', () => {
    const now = Date.now();
    const ids = Array.from({ length: 20_000 }, () => newEntryId(now));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts after those made before when the clock is set back', () => {
    const later = newEntryId(Date.now() + 60_000);
    const back = newEntryId(Date.now() - 60_000);
    expect(back > later).toBe(true);
  });

  it('tells when it was made', () => {
    const future = Date.now() + 10 * 60_000;
    expect(entryIdTime(newEntryId(future))).toBe(future);
    expect(entryIdTime(deriveEntryId('a'))).toBeUndefined();
  });
});

describe('a derived entry id', () => {
  it('is the same for the same names, in every process and version', () => {
    expect(deriveEntryId('claude', 'file.jsonl', '1')).toBe('4f665277-d579-808f-bb35-3dbf8673d133');
  });

  it('is a version 8 UUID', () => {
    expect(deriveEntryId('a')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it.each([
    { names: [['a', 'b'], ['ab']], why: 'names do not run together' },
    { names: [['a', ''], ['a']], why: 'an empty name counts' },
    { names: [['\ud800'], ['\ud801']], why: 'lone surrogates differ' },
    { names: [['é'], ['e\u0301']], why: 'normal forms differ' },
  ])('differs because $why', ({ names: [one, other] }) => {
    expect(deriveEntryId(...one!)).not.toBe(deriveEntryId(...other!));
  });

  it('differs for different names', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.array(anyText), (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(deriveEntryId(...one) === deriveEntryId(...other)).toBe(same);
      }),
    );
  });
});

it('survives being packed into sixteen bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const id = entryIdFromBytes(bytes);
      expect(isEntryId(id)).toBe(true);
      expect(new Uint8Array(entryIdBytes(id))).toEqual(bytes);
    }),
  );
});

it('is taken in either case and kept in lower case', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.array(fc.boolean()), (bytes, cases) => {
      const id = entryIdFromBytes(bytes);
      const mixed = [...id].map((digit, at) => (cases[at] ? digit.toUpperCase() : digit)).join('');
      expect([toEntryId(mixed), toEntryId(id.toUpperCase()), toEntryId(id)]).toEqual([id, id, id]);
    }),
  );
});

it.each([
  '',
  'a',
  '0199F3A0-0000-7000-8000-000000000000',
  '{0199f3a0-0000-7000-8000-000000000000}',
  ' 0199f3a0-0000-7000-8000-000000000000',
  '0199f3a0-0000-7000-8000-000000000000\n',
])('is not %j', (text) => {
  expect(isEntryId(text)).toBe(false);
  const isOnlyUpperCase = isEntryId(text.toLowerCase());
  expect(toEntryId(text) !== undefined).toBe(isOnlyUpperCase);
  expect(EntryId.safeParse(text).success).toBe(false);
});
