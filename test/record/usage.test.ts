import { expect, it } from 'vitest';
import { addUsage, NO_USAGE, Usage } from '../../src/record/index.ts';

it.each([
  { a: NO_USAGE, b: NO_USAGE, sum: NO_USAGE, why: 'nothing and nothing is nothing' },
  {
    a: { inputTokens: 1, outputTokens: 2 },
    b: { inputTokens: 10, outputTokens: 20 },
    sum: { inputTokens: 11, outputTokens: 22 },
    why: 'what nobody reported stays unreported',
  },
  {
    a: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0 },
    b: { inputTokens: 1, outputTokens: 2, reasoningTokens: 5, cost: 0.25 },
    sum: { inputTokens: 2, outputTokens: 4, cacheReadTokens: 0, reasoningTokens: 5, cost: 0.25 },
    why: 'what one of them reported is known',
  },
  {
    a: {
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 1,
      cacheWriteTokens: 1,
      reasoningTokens: 1,
      cost: 1,
    },
    b: {
      inputTokens: 2,
      outputTokens: 2,
      cacheReadTokens: 2,
      cacheWriteTokens: 2,
      reasoningTokens: 2,
      cost: 2,
    },
    sum: {
      inputTokens: 3,
      outputTokens: 3,
      cacheReadTokens: 3,
      cacheWriteTokens: 3,
      reasoningTokens: 3,
      cost: 3,
    },
    why: 'everything is added',
  },
])('adds up, and $why', ({ a, b, sum }) => {
  expect(addUsage(a, b)).toEqual(sum);
  expect(Object.keys(addUsage(a, b)).sort()).toEqual(Object.keys(sum).sort());
  expect(Usage.safeParse(addUsage(a, b)).success).toBe(true);
});
