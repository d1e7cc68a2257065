import { describe, expect, it } from 'vitest';
import { findKey } from '../../src/models/find-key.ts';

const HERE = 'http://127.0.0.1:1234/v1';
const THERE = 'https://elsewhere.example/v1';

describe('the key', () => {
  it.each([
    { env: { THROUGHLINE_API_KEY: 'ours' }, key: 'ours', why: 'it is for whatever is named' },
    {
      env: { THROUGHLINE_API_KEY: 'ours', THROUGHLINE_BASE_URL: HERE },
      key: 'ours',
      why: 'it was set for here',
    },
    { env: { THROUGHLINE_API_KEY: 'ours', THROUGHLINE_BASE_URL: THERE }, why: 'it was set for elsewhere' },
    { env: { OPENAI_API_KEY: 'theirs', OPENAI_BASE_URL: HERE }, key: 'theirs', why: 'it was set for here' },
    { env: { OPENAI_API_KEY: 'theirs' }, why: 'it is for OpenAI' },
    { env: { OPENAI_API_KEY: 'theirs', OPENAI_BASE_URL: THERE }, why: 'it was set for elsewhere' },
    { env: {}, why: 'many servers want none' },
  ])('for a compatible server is $key with $env, because $why', ({ env, key }) => {
    expect(findKey('compatible', env, HERE)).toBe(key);
  });

  it.each([
    { provider: 'anthropic', says: 'set ANTHROPIC_API_KEY.' },
    { provider: 'openai', says: 'set OPENAI_API_KEY.' },
    { provider: 'google', says: 'set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY.' },
  ] as const)('for $provider has to be there, and the error says where', ({ provider, says }) => {
    expect(() => findKey(provider, {}, HERE)).toThrow(
      expect.objectContaining({ code: 'model-not-configured', message: expect.stringContaining(says) }),
    );
  });
});
