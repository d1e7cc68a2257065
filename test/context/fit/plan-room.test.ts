import { describe, expect, it } from 'vitest';
import { buildContext, planRoom } from '../../../src/context/index.ts';
import { logOf, user } from '../../../src/testing/index.ts';
import { modelLimits } from '../../../src/tokens/index.ts';
import { stateOf } from '../states.ts';

describe('room for the answer', () => {
  it.each([
    { budget: { window: 1_000_000 }, reserve: 8_000, why: 'a large window keeps 8,000' },
    { budget: { window: 200_000 }, reserve: 8_000, why: 'so does 200k' },
    { budget: { window: 32_000 }, reserve: 8_000, why: 'a quarter is 8,000 here' },
    { budget: { window: 16_384 }, reserve: 4_096, why: 'a local model keeps a quarter' },
    { budget: { window: 8_192 }, reserve: 2_048, why: 'and a smaller one too' },
    { budget: { window: 3_000 }, reserve: 1_000, why: 'but at least 1,000' },
    { budget: { window: 1_000 }, reserve: 500, why: 'and never more than half' },
    { budget: { window: 2 }, reserve: 1, why: 'however small the window' },
    { budget: { window: 200_000, outputLimit: 4_096 }, reserve: 4_096, why: 'the model cannot write more' },
    {
      budget: { window: 128_000, outputLimit: 128_000 },
      reserve: 8_000,
      why: 'a limit of a whole window is no wish for it',
    },
    { budget: { window: 200_000, reserve: 64_000 }, reserve: 64_000, why: 'the user wants it' },
    {
      budget: { window: 200_000, reserve: 200_000 },
      reserve: 100_000,
      why: 'a reserve of the whole window leaves half',
    },
    { budget: { window: 200_000, reserve: 0 }, reserve: 1, why: 'an answer has at least one token' },
    {
      budget: { window: 200_000, reserve: 64_000, outputLimit: 8_192 },
      reserve: 8_192,
      why: 'no more than the model can write',
    },
    { budget: { window: 200_000, outputLimit: 0 }, reserve: 8_000, why: 'an output limit of 0 is not known' },
  ])('keeps $reserve of $budget, because $why', ({ budget, reserve }) => {
    const room = planRoom(budget);
    expect(room).toEqual({ window: budget.window, reserve, limit: budget.window - reserve });
  });

  it('counts as the provider will, so that a low estimate does not overflow', () => {
    const { limit } = planRoom({ window: 32_000, correct: (tokens) => tokens * 1.25 });
    expect(limit).toBe(19_200);
  });

  it('gives more room when the local estimate is known to be high', () => {
    const { limit } = planRoom({ window: 32_000, correct: (tokens) => tokens / 2 });
    expect(limit).toBe(48_000);
  });

  it('works with the cautious window of an unknown model', () => {
    const { window, output } = modelLimits('nobody:knows-this');
    const built = buildContext(stateOf(logOf(user('Hello'))), { window, outputLimit: output });
    expect(built).toMatchObject({ window: 32_768, reserve: 4_096, maxOutput: 4_096 });
  });

  it.each([0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a window of %d tokens, and says what a window is',
    (window) => {
      expect(() => buildContext(stateOf(logOf(user('Hello'))), { window })).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining(`window of ${window} `) }),
      );
    },
  );
});

describe('the output to ask for', () => {
  it.each([
    { budget: { window: 10_000 }, why: 'all that is left' },
    { budget: { window: 10_000, outputLimit: 700 }, why: 'no more than the model writes' },
  ])('is $why', ({ budget }) => {
    const built = buildContext(stateOf(logOf(user('Hello'))), budget);
    expect(built.maxOutput).toBe(Math.min(budget.outputLimit ?? 10_000, 10_000 - built.tokens));
  });

  it('stays within the window after a switch from 1M to 200k', () => {
    const log = logOf(
      ...Array.from({ length: 300 }, (_, n) => user(`${n} ${'long ago and far away '.repeat(400)}`)),
    );
    const large = buildContext(stateOf(log), { window: 1_000_000, outputLimit: 64_000 });
    const small = buildContext(stateOf(log), { window: 200_000, outputLimit: 64_000 });
    expect(large.steps).toEqual([]);
    expect(large.tokens).toBeGreaterThan(200_000);
    expect(small.steps).toEqual(['leave-out-turns']);
    expect(small.tokens).toBeLessThanOrEqual(192_000);
    expect(small.maxOutput).toBe(Math.min(64_000, 200_000 - small.tokens));
  });
});
