import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/models/index.ts';
import { PROVIDERS, type Provider } from '../../src/models/providers.ts';

const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' };
const limitsOf = async (reference: string, options: object = {}) =>
  (await openModel(reference, { env, ...options })).limits;

describe('facts about a model', () => {
  it.each(
    Object.entries<Provider>(PROVIDERS).filter(
      ([name, { defaultModel }]) => defaultModel && name !== 'offline',
    ),
  )('the default of %s is in the catalogue, with its window and its price', async (provider) => {
    const { limits, price } = await openModel(provider, { env });
    expect(limits.source).toBe('catalogue');
    expect(limits.window).toBeGreaterThanOrEqual(200_000);
    expect(price).toMatchObject({ input: expect.any(Number), output: expect.any(Number) });
  });

  it('what the user declares beats the catalogue', async () => {
    const limits = { 'claude-sonnet-5-5': { window: 50_000 } };
    expect(await limitsOf('anthropic', { limits })).toMatchObject({ window: 50_000, source: 'declared' });
  });

  it('an unknown model is not trusted with much, and an answer never exceeds the window', async () => {
    expect(await limitsOf('compatible:nobodys@http://127.0.0.1:1/v1')).toMatchObject({ source: 'default' });
    const limits = { nobodys: { window: 2_000 } };
    const declared = await limitsOf('compatible:nobodys@http://127.0.0.1:1/v1', { limits });
    expect(declared.output).toBeLessThanOrEqual(2_000);
  });

  it.each([
    {
      set: { OLLAMA_CONTEXT_LENGTH: '16384' },
      window: 16_384,
      source: 'declared',
      why: 'the server was told so',
    },
    { set: { OLLAMA_CONTEXT_LENGTH: 'lots' }, window: 32_768, source: 'default', why: 'that is no number' },
    { set: {}, window: 32_768, source: 'default', why: 'it would cut more without a word' },
  ])('Ollama gets $window, because $why', async ({ set, window, source }) => {
    expect(await limitsOf('ollama:llama3.1:8b', { env: set })).toMatchObject({ window, source });
  });

  it('the offline model has a window too', async () => {
    expect((await limitsOf('offline')).window).toBeGreaterThan(100_000);
  });
});
