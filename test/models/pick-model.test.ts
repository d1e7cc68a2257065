import { describe, expect, it } from 'vitest';
import { pickModel } from '../../src/models/pick-model.ts';

/** Each line sets one variable more than the line before, and wins over all of them. */
const ORDER = [
  { variable: undefined, value: '', provider: 'offline' },
  { variable: 'OLLAMA_HOST', value: '127.0.0.1', provider: 'ollama' },
  { variable: 'GEMINI_API_KEY', value: 'k', provider: 'google' },
  { variable: 'GOOGLE_GENERATIVE_AI_API_KEY', value: 'k', provider: 'google' },
  { variable: 'OPENAI_API_KEY', value: 'k', provider: 'openai' },
  { variable: 'ANTHROPIC_API_KEY', value: 'k', provider: 'anthropic' },
  { variable: 'THROUGHLINE_BASE_URL', value: 'http://127.0.0.1:1234/v1', provider: 'compatible' },
  { variable: 'THROUGHLINE_MODEL', value: 'google', provider: 'google' },
] as const;

describe('without a reference', () => {
  it.each(ORDER.map((line, index) => ({ ...line, index })))(
    '$variable decides for $provider over all that come after it',
    ({ variable, provider, index }) => {
      const env = Object.fromEntries(
        ORDER.slice(0, index + 1).flatMap((line) => (line.variable ? [[line.variable, line.value]] : [])),
      );
      expect(pickModel(env)).toEqual({ reference: { provider }, ...(variable && { pickedBy: variable }) });
    },
  );

  it.each([
    { env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1234/v1' }, provider: 'compatible' },
    { env: { OPENAI_BASE_URL: 'http://127.0.0.1:1234/v1' }, provider: 'compatible' },
    { env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://api.openai.com/v1' }, provider: 'openai' },
    {
      env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://api.openai.com.example/v1' },
      provider: 'compatible',
    },
  ])('a key next to an address belongs to that address: $env.OPENAI_BASE_URL', ({ env, provider }) => {
    expect(pickModel(env).reference).toEqual({ provider });
  });

  it('a variable that is set to nothing is not set', () => {
    expect(pickModel({ THROUGHLINE_MODEL: '', ANTHROPIC_API_KEY: ' ' })).toEqual({
      reference: { provider: 'offline' },
    });
  });
});
