import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sayNumber } from '../../src/text/index.ts';

it('groups the digits of any number as English does', () => {
  const numbers = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer(),
    fc.double().filter((value) => !Object.is(value, -0)),
  );
  fc.assert(fc.property(numbers, (value) => sayNumber(value) === value.toLocaleString('en-US')));
  expect([0, 999, 1000, 1234567, -1234].map(sayNumber)).toEqual(['0', '999', '1,000', '1,234,567', '-1,234']);
});
