import { expect, it } from 'vitest';
import { sayCount, sayShare, sayTokens } from '../../src/text/index.ts';

it.each([
  [0, '0'],
  [950, '950'],
  [999.6, '1000'],
  [1_000, '1K'],
  [1_240, '1.2K'],
  [27_312, '27K'],
  [200_000, '200K'],
  [999_499, '999K'],
  [999_500, '1M'],
  [1_240_000, '1.2M'],
  [12_400_000, '12M'],
])('says %d tokens as %s', (tokens, said) => expect(sayTokens(tokens)).toBe(said));

it.each([
  [0, 200, '0 %'],
  [1, 1000, '0.1 %'],
  [18, 200, '9.0 %'],
  [20, 200, '10 %'],
  [300, 200, '150 %'],
  [5, 0, '0 %'],
])('says %d of %d as %s', (amount, whole, said) => expect(sayShare(amount, whole)).toBe(said));

it.each([
  [1, 'summary', 'summaries', '1 summary'],
  [0, 'summary', 'summaries', '0 summaries'],
  [1204, 'session', undefined, '1,204 sessions'],
])('counts %d', (count, one, many, said) => expect(sayCount(count, one, many)).toBe(said));
