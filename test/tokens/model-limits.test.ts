import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/tokens/catalogue.ts';
import { modelLimits } from '../../src/tokens/index.ts';

describe('the limits of a model', () => {
  it.each([
    { model: 'claude-opus-5-5', like: 'claude-opus-5.5' },
    { model: 'anthropic:claude-opus-5-5', like: 'claude-opus-5.5' },
    { model: 'anthropic/claude-opus-5.5', like: 'claude-opus-5.5' },
    { model: 'openrouter/anthropic/claude-sonnet-4.5', like: 'claude-sonnet-4.5' },
    { model: 'claude-sonnet-4-5-20250929', like: 'claude-sonnet-4.5' },
    { model: 'claude-sonnet-4-20250514', like: 'claude-sonnet-4' },
    { model: 'claude-opus-4@20250514', like: 'claude-opus-4' },
    { model: 'us.anthropic.claude-opus-4-5-20251101-v1:0', like: 'claude-opus-4.5' },
    { model: 'GPT-4O-2024-08-06', like: 'gpt-4o' },
    { model: 'gpt-5-2025-08-07', like: 'gpt-5' },
    { model: 'openai:gpt-6.1-sol-2026-09-29', like: 'gpt-6.1-sol' },
    { model: 'ft:gpt-4.1-mini-2025-04-14:acme::abc', like: 'gpt-4.1-mini' },
    { model: 'models/gemini-2.5-flash', like: 'gemini-2.5-flash' },
    { model: 'ollama:llama3.1:8b', like: 'llama-3.1' },
    { model: 'llama3.1:latest', like: 'llama-3.1' },
    { model: 'meta-llama/Llama-3.3-70B-Instruct', like: 'llama-3.3' },
    { model: 'ollama:qwen3:8b', like: 'qwen-3' },
    { model: 'Qwen/Qwen3-Coder-480B-A35B-Instruct', like: 'qwen-3-coder' },
    { model: 'hf.co/unsloth/gemma-3-27b-it-GGUF:Q4_K_M', like: 'gemma-3' },
    { model: 'compatible:gpt-oss:20b', like: 'gpt-oss' },
    { model: 'openai/gpt-oss-120b', like: 'gpt-oss' },
    { model: 'moonshotai/Kimi-K2.5', like: 'kimi-k2.5' },
  ])('are those of $like for $model', ({ model, like }) => {
    expect(modelLimits(model)).toEqual(modelLimits(like));
    expect(modelLimits(model).source).toBe('catalogue');
  });

  it.each([
    { model: 'qwen3-8b', not: 'qwen-3.8-max', why: 'a size is not a version' },
    { model: 'gpt-5-2025-08-07', not: 'gpt-5.4', why: 'a year is not a version' },
    { model: 'gpt-4o', not: 'gpt-4', why: 'a name ends where a word ends' },
    { model: 'gemini/gemma-2-9b-it', not: 'gemini', why: 'a provider is not the model' },
    { model: 'gemini:gemma-2-9b-it', not: 'gemini', why: 'a provider is not the model' },
  ])('are not those of $not for $model, because $why', ({ model, not }) => {
    expect(modelLimits(model).window).not.toBe(modelLimits(not).window);
  });

  it.each([
    '',
    ' ',
    ':',
    '/',
    'quotes',
    'offline:quotes',
    'my-own-model',
    'gptx',
    '__proto__',
    'constructor',
  ])('are small ones for the unknown "%s"', (model) => {
    expect(modelLimits(model)).toEqual({ window: 32_768, output: 4_096, source: 'default' });
  });

  it('take the longest name that fits', () => {
    const line = fc.constantFrom(...CATALOGUE);
    const rest = fc.constantFrom('', '-20260101', ':latest', '-zz', '-zz-9');
    fc.assert(
      fc.property(line, rest, ({ model }, rest) => {
        const name = model + rest;
        // A tag is as good as a suffix: `mistral-large:latest` is `mistral-large-latest`.
        const plain = name.replaceAll(':', '-');
        const longest = CATALOGUE.filter(
          (other) => plain === other.model || plain.startsWith(`${other.model}-`),
        )
          .map((other) => other.model)
          .reduce((a, b) => (b.length > a.length ? b : a), model);
        expect(modelLimits(name)).toEqual(modelLimits(longest));
      }),
    );
  });

  it('are sound for any name and any declaration', () => {
    const limit = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined });
    const name = fc.oneof(fc.string(), fc.constantFrom('gpt-5', 'ollama:llama3.1:8b', 'own'));
    const overrides = fc.dictionary(name, fc.record({ window: limit, output: limit }));
    fc.assert(
      fc.property(name, overrides, (model, overrides) => {
        const { window, output } = modelLimits(model, { overrides });
        expect(Number.isFinite(window) && window > 0).toBe(true);
        expect(Number.isFinite(output) && output > 0 && output <= window).toBe(true);
      }),
    );
  });
});

describe('limits that the user declares', () => {
  it('beat the catalogue, upwards and downwards', () => {
    const overrides = { 'gpt-5': { window: 16_384, output: 2_048 }, own: { window: 2_000_000 } };
    expect(modelLimits('openai:gpt-5', { overrides })).toEqual({
      window: 16_384,
      output: 2_048,
      source: 'declared',
    });
    expect(modelLimits('ollama:own:7b', { overrides })).toEqual({
      window: 2_000_000,
      output: 4_096,
      source: 'declared',
    });
  });

  it('leave the rest to the catalogue, but an answer never outgrows the window', () => {
    expect(modelLimits('gpt-4o', { overrides: { 'gpt-4o': { window: 64_000 } } }).output).toBe(16_384);
    expect(modelLimits('gpt-4o', { overrides: { 'gpt-4o': { window: 8_000 } } }).output).toBe(8_000);
    expect(modelLimits('gpt-4o', { overrides: { 'gpt-4o': { output: 1_000 } } })).toMatchObject({
      window: 128_000,
      output: 1_000,
    });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('do not count when they say %d', (nonsense) => {
    const overrides = { 'gpt-4o': { window: nonsense, output: nonsense } };
    expect(modelLimits('gpt-4o', { overrides })).toEqual(modelLimits('gpt-4o'));
  });

  it('follow the longest name too', () => {
    const overrides = { qwen3: { window: 20_000 }, 'qwen3-coder': { window: 30_000 } };
    expect(modelLimits('ollama:qwen3-coder:30b', { overrides }).window).toBe(30_000);
    expect(modelLimits('ollama:qwen3:8b', { overrides }).window).toBe(20_000);
  });
});
