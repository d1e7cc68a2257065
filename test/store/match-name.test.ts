import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchName } from '../../src/store/index.ts';
import { anyText } from '../record/arbitraries.ts';

it.each([
  { one: 'Refactor Auth', other: 'refactor auth', same: true },
  { one: '  padded ', other: 'padded', same: true },
  { one: 'Café', other: 'cafe\u0301', same: true },
  { one: 'ÉTÉ', other: 'été', same: true },
  { one: 'a\0b', other: 'ab', same: true },
  { one: 'Café', other: 'Cafe', same: false },
  { one: 'a b', other: 'ab', same: false },
])('$one and $other are the same name: $same', ({ one, other, same }) => {
  expect(matchName(one) === matchName(other)).toBe(same);
});

it('is something every database can keep, and finds itself', () => {
  fc.assert(
    fc.property(anyText, (title) => {
      const name = matchName(title);
      expect(name.isWellFormed() && !name.includes('\0')).toBe(true);
      expect(matchName(title)).toBe(name);
    }),
  );
});
