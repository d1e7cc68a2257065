import { describe, expect, it } from 'vitest';
import { findOverflow } from '../../src/models/find-overflow.ts';
import { readFailure } from '../../src/models/read-failure.ts';

const failed = (message: string, fields: object = {}) => readFailure({ statusCode: 400, message, ...fields });

describe('an answer that the request is too long', () => {
  it.each([
    ['Anthropic', 'prompt is too long: 208310 tokens > 200000 maximum', { tokens: 208_310, limit: 200_000 }],
    [
      'Anthropic, with the answer counted in',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length',
      { tokens: 209_573, limit: 200_000 },
    ],
    [
      'OpenAI',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 138102 tokens. Please reduce the length of the messages.",
      { tokens: 138_102, limit: 128_000 },
    ],
    [
      'OpenAI, long ago',
      "This model's maximum context length is 4097 tokens, however you requested 4231 tokens (3975 in your prompt; 256 for the completion).",
      { tokens: 4231, limit: 4097 },
    ],
    [
      'OpenAI Responses',
      'Your input exceeds the context window of this model. Please adjust your input.',
      {},
    ],
    [
      'OpenAI, one request over the limit of a minute',
      'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45120.',
      { tokens: 45_120, limit: 30_000 },
    ],
    [
      'Google',
      'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
      { tokens: 1_196_265, limit: 1_048_575 },
    ],
    [
      'Google, without the count',
      'The input token count exceeds the maximum number of tokens allowed 1048576.',
      { limit: 1_048_576 },
    ],
    ['Ollama', 'prompt too long; exceeded max context length by 812 tokens', { over: 812 }],
    ['Ollama, another', 'the input length exceeds the context length', {}],
    ['llama.cpp', 'the request exceeds the available context size. try increasing the context size', {}],
    [
      'llama.cpp, newer',
      'request (5120 tokens) exceeds the available context size (4096 tokens), try increasing it',
      { tokens: 5120, limit: 4096 },
    ],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (149000 of text input, 1000 in the output).",
      { tokens: 150_000, limit: 131_072 },
    ],
    [
      'vLLM, by the answer',
      "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4096 tokens and your request has 2500 input tokens (8000 > 4096 - 2500).",
      { tokens: 10_500, limit: 4096 },
    ],
    [
      'vLLM, by its engine',
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
      { tokens: 5000, limit: 4096 },
    ],
    [
      'LM Studio',
      'Trying to keep the first 5120 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      { tokens: 5120, limit: 4096 },
    ],
    [
      'xAI',
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      { tokens: 537_812, limit: 131_072 },
    ],
    [
      'Mistral',
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      { tokens: 40_000, limit: 32_768 },
    ],
    [
      'Kimi',
      'Your request exceeded model token limit: 262144 (requested: 300000)',
      { tokens: 300_000, limit: 262_144 },
    ],
    [
      'Copilot',
      'prompt token count of 140000 exceeds the limit of 128000',
      { tokens: 140_000, limit: 128_000 },
    ],
    [
      'with separators',
      'prompt is too long: 1,208,310 tokens > 1,000,000 maximum',
      { tokens: 1_208_310, limit: 1_000_000 },
    ],
  ])('is recognised from %s', (_, message, numbers) => {
    expect(findOverflow(failed(message))).toEqual(numbers);
  });

  it('is recognised by its code alone, with numbers from the body', () => {
    const responseBody = JSON.stringify({
      error: {
        code: 400,
        message: 'no',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    });
    expect(findOverflow(failed('Bad Request', { responseBody }))).toEqual({ tokens: 5000, limit: 4096 });
  });

  it('is recognised in the middle of a stream, in the forms that streams have', () => {
    const error = { code: 'context_length_exceeded', message: 'no' };
    expect(findOverflow(readFailure({ type: 'error', error }))).toEqual({});
    expect(findOverflow(readFailure({ type: 'response.failed', response: { error } }))).toEqual({});
  });

  it('is a body that is too large, too', () => {
    expect(findOverflow(readFailure({ statusCode: 413, message: 'Payload Too Large' }))).toEqual({});
  });
});

describe('not an answer that the request is too long', () => {
  it.each([
    [
      'a limit per minute',
      'This request would exceed your organization’s rate limit of 30,000 input tokens per minute.',
      429,
    ],
    [
      'a limit that others used up',
      'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.',
      429,
    ],
    ['a throttle', 'Too many tokens, please wait before trying again.', 429],
    [
      'too much output wanted',
      'max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens',
      400,
    ],
    ['a wrong key', 'This key exceeds the context window of your rights', 401],
  ])('is %s', (_, message, statusCode) => {
    expect(findOverflow(readFailure({ statusCode, message }))).toBeUndefined();
  });
});
