import { describe, expect, it } from 'vitest';
import {
  type ModelReference,
  modelSettings,
  parseReference,
  referenceText,
  rememberedReference,
} from '../../src/models/model-reference.ts';

const REFERENCES: readonly (ModelReference & { text: string })[] = [
  { text: 'anthropic:claude-sonnet-5-5', provider: 'anthropic', model: 'claude-sonnet-5-5' },
  { text: 'anthropic', provider: 'anthropic' },
  { text: 'openai:', provider: 'openai' },
  { text: 'ollama:qwen3:8b', provider: 'ollama', model: 'qwen3:8b' },
  { text: 'ollama:hf.co/org/model:Q4_K_M', provider: 'ollama', model: 'hf.co/org/model:Q4_K_M' },
  { text: 'compatible:openai/gpt-oss-20b', provider: 'compatible', model: 'openai/gpt-oss-20b' },
  { text: 'openai-compatible:qwen3', provider: 'compatible', model: 'qwen3' },
  { text: 'Compatible: m1', provider: 'compatible', model: 'm1' },
  { text: ' OpenAI:GPT-6 ', provider: 'openai', model: 'GPT-6' },
  { text: 'Claude:opus', provider: 'anthropic', model: 'opus' },
  { text: 'offline', provider: 'offline' },
  { text: 'claude-opus-5-5', provider: 'anthropic', model: 'claude-opus-5-5' },
  { text: 'gpt-6-luna', provider: 'openai', model: 'gpt-6-luna' },
  { text: 'o3-mini', provider: 'openai', model: 'o3-mini' },
  { text: ' gemini-3.8-flash ', provider: 'google', model: 'gemini-3.8-flash' },
  {
    text: 'compatible:qwen3@http://127.0.0.1:1234/v1',
    provider: 'compatible',
    model: 'qwen3',
    baseUrl: 'http://127.0.0.1:1234/v1',
  },
  {
    text: 'compatible:@cf/meta/llama@https://host.example/v1',
    provider: 'compatible',
    model: '@cf/meta/llama',
    baseUrl: 'https://host.example/v1',
  },
  {
    text: 'compatible:@http://localhost:8080/v1',
    provider: 'compatible',
    baseUrl: 'http://localhost:8080/v1',
  },
];

describe('a model reference', () => {
  it.each(REFERENCES)('"$text" is understood', ({ text, ...reference }) => {
    expect(parseReference(text)).toEqual(reference);
  });

  it.each(REFERENCES)('"$text" can be written down and read again', ({ text: _, ...reference }) => {
    expect(parseReference(referenceText(reference))).toEqual(reference);
  });

  it.each([
    { text: 'qwen3', advice: '"ollama:qwen3"' },
    { text: 'anthropic/claude-sonnet-5-5', advice: 'Did you mean "anthropic:claude-sonnet-5-5"?' },
    { text: 'mistral:large', advice: 'there are anthropic, openai, google, ollama, compatible, offline' },
    { text: 'nowhere:zz-9', advice: '"nowhere" is no provider' },
    { text: '', advice: 'The name of the model is empty' },
    { text: 'agent-sdk:opus', advice: '@anthropic-ai/claude-agent-sdk' },
  ])('"$text" is refused with advice', ({ text, advice }) => {
    expect(() => parseReference(text)).toThrow(
      expect.objectContaining({ code: 'model-unknown', message: expect.stringContaining(advice) }),
    );
  });
});

it.each([
  [{ model: ' compatible:m1 ' }, 'compatible:m1'],
  [{ model: 'Compatible:m1' }, 'compatible:m1'],
  [{ provider: 'OpenAI-Compatible', model: 'm1' }, 'compatible:m1'],
  [{ provider: 'Gemini' }, 'google'],
])('a session that is set to %j remembers %s', (names, reference) => {
  const { provider, model } = modelSettings(names);
  const remembered = rememberedReference({ ...(provider && { provider }), ...(model && { model }) });
  expect(referenceText(parseReference(remembered!))).toBe(reference);
});

it.each([
  ['claude:claude-sonnet-5', 'anthropic'],
  ['gemini:gemini-3-pro', 'google'],
  ['openai-compatible:qwen3', 'compatible'],
])('reads %s as a model of %s, as every face does', (text, provider) => {
  expect(parseReference(text)).toEqual({ provider, model: text.slice(text.indexOf(':') + 1) });
});
