import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equalJson } from '../../src/record/index.ts';
import { anyJson } from './arbitraries.ts';

const PAIRS: { a: unknown; b: unknown; equal: boolean; why: string }[] = [
  { a: { x: 1, y: 2 }, b: { y: 2, x: 1 }, equal: true, why: 'the order of keys does not matter' },
  { a: { x: 1, y: undefined }, b: { x: 1 }, equal: true, why: 'undefined is not written' },
  { a: 0, b: -0, equal: true, why: 'JSON text has one zero' },
  { a: [1, 2], b: [2, 1], equal: false, why: 'the order of a list does' },
  { a: [1], b: { 0: 1 }, equal: false, why: 'a list is not an object' },
  { a: [], b: {}, equal: false, why: 'an empty list is not an empty object' },
  { a: null, b: undefined, equal: false, why: 'null is written' },
  { a: null, b: {}, equal: false, why: 'null is not an object' },
  { a: { x: null }, b: {}, equal: false, why: 'a null member is written' },
  { a: 1, b: '1', equal: false, why: 'a number is not a text' },
  { a: 'é', b: 'e\u0301', equal: false, why: 'text is compared by its code units' },
  { a: JSON.parse('{"__proto__":1}'), b: {}, equal: false, why: 'an odd key is a key' },
  { a: { toString: 1 }, b: { x: 1 }, equal: false, why: 'inherited members do not count' },
];

it.each(PAIRS)('$equal, because $why', ({ a, b, equal }) => {
  expect(equalJson(a, b)).toBe(equal);
  expect(equalJson(b, a)).toBe(equal);
});

it('holds for everything and what JSON makes of it', () => {
  fc.assert(fc.property(anyJson, (value) => equalJson(value, JSON.parse(JSON.stringify(value)))));
});

it('holds for two values exactly when their sorted JSON is the same', () => {
  const sorted = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return ['list', ...value.map(sorted)];
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return ['object', ...fields.map(([key, field]) => [key, sorted(field)])];
  };
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      expect(equalJson(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
    }),
  );
});
