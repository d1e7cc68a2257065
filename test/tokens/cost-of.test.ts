import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, modelPrice } from '../../src/tokens/index.ts';

describe('the price of a model', () => {
  it.each(['claude-sonnet-5-5', 'anthropic/claude-sonnet-5.5', 'anthropic:claude-sonnet-5-5-20260922'])(
    'is known for %s',
    (model) => {
      expect(modelPrice(model)).toEqual({ input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 });
    },
  );

  it.each([
    { model: '', why: 'it names nothing' },
    { model: 'my-own-model', why: 'nobody knows it' },
    { model: 'claude-sonnet-9', why: 'a relative says nothing of its price' },
    { model: 'ollama:gpt-5', why: 'it runs at home' },
    { model: 'compatible:gpt-5', why: 'nobody knows who serves it' },
    { model: 'qwen3:8b', why: 'its weights are served by many' },
  ])('is unknown for "$model", because $why', ({ model }) => {
    expect(modelPrice(model)).toBeUndefined();
  });
});

describe('the cost of a call', () => {
  const price = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 };

  it.each([
    { usage: { inputTokens: 0, outputTokens: 0 }, dollars: 0, why: 'nothing was used' },
    { usage: { inputTokens: 1e6, outputTokens: 1e5 }, dollars: 3, why: 'both sides are paid' },
    {
      usage: { inputTokens: 1e6, outputTokens: 0, cacheReadTokens: 9e5 },
      dollars: 0.29,
      why: 'what was read from the cache is part of the input',
    },
    {
      usage: { inputTokens: 1e6, outputTokens: 0, cacheWriteTokens: 1e6 },
      dollars: 2.5,
      why: 'so is what was written to it',
    },
    {
      usage: { inputTokens: 0, outputTokens: 1e5, reasoningTokens: 9e4 },
      dollars: 1,
      why: 'reasoning is part of the output',
    },
    {
      usage: { inputTokens: 10, outputTokens: 0, cacheReadTokens: 1e6 },
      dollars: 0.1,
      why: 'a server that leaves cached tokens out of the input gives nothing back',
    },
  ])('is $dollars dollars, because $why', ({ usage, dollars }) => {
    expect(costOf(usage, price)).toBeCloseTo(dollars, 10);
  });

  it('takes the price of plain input where the cache has none', () => {
    const usage = { inputTokens: 1e6, outputTokens: 0, cacheReadTokens: 5e5, cacheWriteTokens: 5e5 };
    expect(costOf(usage, { input: 2, output: 10 })).toBe(2);
  });

  it('is that of a long request for the whole of it, from the token on that makes it one', () => {
    const long = { above: 272_000, input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5 };
    const of = (inputTokens: number) => {
      const usage = { inputTokens, outputTokens: 1_000, cacheReadTokens: 200_000, cacheWriteTokens: 72_000 };
      return costOf(usage, { ...price, long }) * 1e6;
    };
    expect(of(272_000)).toBeCloseTo(200_000 * 0.1 + 72_000 * 2.5 + 10_000, 6);
    expect(of(272_001)).toBeCloseTo(200_000 * 0.2 + 72_000 * 5 + 4 + 15_000, 6);
  });

  it('is never negative', () => {
    const tokens = fc.nat({ max: 10_000_000 });
    const usage = fc.record(
      { inputTokens: tokens, outputTokens: tokens, cacheReadTokens: tokens, cacheWriteTokens: tokens },
      { requiredKeys: ['inputTokens', 'outputTokens'] },
    );
    fc.assert(fc.property(usage, (usage) => costOf(usage, price) >= 0));
  });
});
