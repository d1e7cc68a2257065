import { describe, expect, it } from 'vitest';
import { baseUrlOf } from '../../src/models/base-url.ts';

describe('the address of a provider', () => {
  it.each([
    { host: undefined, url: 'http://127.0.0.1:11434/v1', why: 'that is where it is by default' },
    { host: '127.0.0.1', url: 'http://127.0.0.1:11434/v1', why: 'its port is known' },
    { host: 'gpu.local:8000', url: 'http://gpu.local:8000/v1', why: 'a port was given' },
    { host: ':8000', url: 'http://127.0.0.1:8000/v1', why: 'only a port was given' },
    { host: '0.0.0.0:11434', url: 'http://127.0.0.1:11434/v1', why: 'one can listen there but not call' },
    { host: '[::]:11434', url: 'http://[::1]:11434/v1', why: 'likewise' },
    { host: '[::1]', url: 'http://[::1]:11434/v1', why: 'brackets are not a port' },
    {
      host: 'http://gpu.local',
      url: 'http://gpu.local/v1',
      why: 'with a scheme the port is that of the scheme',
    },
    { host: 'https://ollama.example/proxy/', url: 'https://ollama.example/proxy/v1', why: 'a path stays' },
    { host: 'http://gpu.local:11434/v1', url: 'http://gpu.local:11434/v1', why: 'it is whole already' },
  ])('of Ollama at $host is $url, because $why', ({ host, url }) => {
    expect(baseUrlOf('ollama', { OLLAMA_HOST: host })).toBe(url);
  });

  it.each([
    { provider: 'anthropic', env: {}, url: 'https://api.anthropic.com/v1' },
    {
      provider: 'anthropic',
      env: { ANTHROPIC_BASE_URL: 'https://proxy.example' },
      url: 'https://proxy.example/v1',
    },
    {
      provider: 'anthropic',
      env: { ANTHROPIC_BASE_URL: 'https://proxy.example/v1/' },
      url: 'https://proxy.example/v1',
    },
    { provider: 'openai', env: {}, url: 'https://api.openai.com/v1' },
    { provider: 'openai', env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/api' }, url: 'http://127.0.0.1:9/api' },
    { provider: 'google', env: {}, url: 'https://generativelanguage.googleapis.com/v1beta' },
    {
      provider: 'google',
      env: { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' },
      url: 'http://127.0.0.1:9/v1beta',
    },
    {
      provider: 'compatible',
      env: { THROUGHLINE_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_BASE_URL: 'http://127.0.0.1:2/v1' },
      url: 'http://127.0.0.1:1/v1',
    },
  ] as const)('of $provider is $url', ({ provider, env, url }) => {
    expect(baseUrlOf(provider, env)).toBe(url);
  });

  it('that is given beats the environment', () => {
    const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(baseUrlOf('anthropic', env, 'http://127.0.0.1:2/v1')).toBe('http://127.0.0.1:2/v1');
  });

  it.each([
    { env: {}, says: 'set THROUGHLINE_BASE_URL' },
    { env: { THROUGHLINE_BASE_URL: 'localhost' }, says: 'is no address' },
    { env: { THROUGHLINE_BASE_URL: 'file:///etc/passwd' }, says: 'is no address' },
    { env: { THROUGHLINE_BASE_URL: 'http://me:secret@host/v1' }, says: 'keys go into THROUGHLINE_API_KEY' },
  ])('cannot be $env.THROUGHLINE_BASE_URL', ({ env, says }) => {
    expect(() => baseUrlOf('compatible', env)).toThrow(
      expect.objectContaining({ code: 'model-not-configured', message: expect.stringContaining(says) }),
    );
    expect(() => baseUrlOf('compatible', env)).not.toThrow('secret');
  });
});
