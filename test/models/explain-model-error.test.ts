import { inspect } from 'node:util';
import {
  APICallError,
  InvalidPromptError,
  LoadAPIKeyError,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  NoSuchModelError,
  RetryError,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { ThroughlineError } from '../../src/errors.ts';
import { explainModelError } from '../../src/models/index.ts';

const url = 'https://api.anthropic.com/v1/messages';
const apiError = (statusCode: number, message: string, fields: object = {}) =>
  new APICallError({
    message,
    url,
    requestBodyValues: { messages: ['a whole conversation'] },
    statusCode,
    ...fields,
  });
const withCode = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:11434`), { code });
const refusedConnection = new APICallError({
  message: 'Cannot connect to API: connect ECONNREFUSED',
  url: 'http://127.0.0.1:11434/v1/chat/completions',
  requestBodyValues: {},
  cause: withCode('ECONNREFUSED'),
});
const QWEN = { provider: 'ollama', model: 'qwen3' } as const;

describe('whatever is thrown', () => {
  it.each([
    [
      'the last of many tries',
      new RetryError({
        message: 'x',
        reason: 'maxRetriesExceeded',
        errors: [apiError(500, 'a'), apiError(429, 'b')],
      }),
      'model-busy',
    ],
    [
      'an error behind "no output"',
      new NoOutputGeneratedError({ cause: apiError(401, 'no') }),
      'model-refused',
    ],
    ['"no output" with nothing behind it', new NoOutputGeneratedError(), 'model-failed'],
    ['an abort', new DOMException('This operation was aborted', 'AbortError'), 'cancelled'],
    [
      'an abort behind another error',
      apiError(200, 'x', { cause: new DOMException('x', 'AbortError') }),
      'cancelled',
    ],
    [
      'a time-out',
      new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
      'model-timeout',
    ],
    [
      'a time-out of the connection',
      apiError(0, 'x', { statusCode: undefined, cause: withCode('UND_ERR_CONNECT_TIMEOUT') }),
      'model-timeout',
    ],
    ['a time-out of a gateway', apiError(504, 'Gateway Timeout'), 'model-timeout'],
    ['no connection', refusedConnection, 'model-failed'],
    [
      'a key that was never set',
      new LoadAPIKeyError({ message: 'API key is missing' }),
      'model-not-configured',
    ],
    [
      'a model that nobody has',
      new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }),
      'model-unknown',
    ],
    [
      'a prompt that cannot be sent',
      new InvalidPromptError({ prompt: '', message: 'no messages' }),
      'model-refused',
    ],
    ['no rights', apiError(403, 'Your API key does not have permission'), 'model-refused'],
    ['no money', apiError(402, 'Payment required'), 'model-refused'],
    ['a request that cannot be processed', apiError(422, 'bad field'), 'model-refused'],
    [
      'an address with nothing there',
      apiError(404, 'Not Found', { responseBody: '<html>nginx</html>' }),
      'model-not-configured',
    ],
    ['an error of a stream, as an object', { type: 'overloaded_error', message: 'Overloaded' }, 'model-busy'],
    ['an error part of a stream', { type: 'error', error: apiError(500, 'x') }, 'model-failed'],
    ['text', 'it broke', 'model-failed'],
    ['nothing', undefined, 'model-failed'],
  ])('%s becomes one of our codes', (_, thrown, code) => {
    expect(explainModelError(thrown)).toMatchObject({ name: 'ThroughlineError', code });
  });

  it('our own errors stay what they are', () => {
    const ours = new ThroughlineError('cancelled', 'stop');
    expect(explainModelError(ours)).toBe(ours);
  });

  it('an answer of the wrong shape is reported with its text', () => {
    const fields = {
      response: { id: '1', timestamp: new Date(0), modelId: 'm' },
      finishReason: 'stop' as const,
    };
    const usage = {
      inputTokens: 1,
      outputTokens: 1,
      totalTokens: 2,
      inputTokenDetails: {},
      outputTokenDetails: {},
    };
    const error = new NoObjectGeneratedError({ text: 'hi', usage: usage as never, ...fields });
    expect(explainModelError(error).code).toBe('model-failed');
  });
});

describe('the words', () => {
  it.each([
    [
      'the variable of the key',
      apiError(401, 'invalid x-api-key'),
      undefined,
      'the key in ANTHROPIC_API_KEY (401)',
    ],
    [
      'how to start Ollama',
      refusedConnection,
      QWEN,
      'cannot be reached at http://127.0.0.1:11434: Cannot connect to API: connect ECONNREFUSED. Start it with "ollama serve".',
    ],
    ['how to fetch a model', apiError(404, "model 'qwen3' not found"), QWEN, '"ollama pull qwen3"'],
    [
      'how long to wait, in seconds',
      apiError(429, 'x', { responseHeaders: { 'retry-after': '12' } }),
      undefined,
      'Wait 12 seconds',
    ],
    [
      'how long to wait, in milliseconds',
      apiError(429, 'x', { responseHeaders: { 'retry-after-ms': '900' } }),
      undefined,
      'Wait 1 second and',
    ],
    ['that an answer had no words', apiError(500, ''), undefined, 'no reason was given'],
    [
      'which variable holds a wrong address',
      apiError(404, 'Not Found'),
      { provider: 'openai', model: 'gpt' } as const,
      'Check OPENAI_BASE_URL. A server that speaks Chat Completions only is reached as "compatible:model".',
    ],
  ])('say %s', (_, thrown, asked, says) => {
    expect(explainModelError(thrown, asked).message).toContain(says);
  });

  it('say until when to wait, if the provider gives a date', () => {
    const later = new Date(Date.now() + 90_000).toUTCString();
    const { details } = explainModelError(apiError(429, 'x', { responseHeaders: { 'retry-after': later } }));
    expect(details.retryAfterSeconds).toBeGreaterThan(60);
  });

  it('are not a book', () => {
    expect(explainModelError(apiError(400, 'blah '.repeat(10_000))).message.length).toBeLessThan(1000);
  });
});

describe('what must not be shown', () => {
  it.each([
    'sk-ant-api03-abcdefghijklmnop',
    'sk-proj-abc***wxyz',
    'AIzaSyA-0123456789abcdefghijk',
    'gsk_0123456789abcdef',
    'Bearer 0123456789abcdef',
    'http://host/?key=0123456789abcdef',
  ])('a key like %s', (secret) => {
    const thrown = apiError(401, `Incorrect key: ${secret}.`, { responseBody: `{"error":"${secret}"}` });
    const error = explainModelError(thrown);
    expect(inspect(error, { depth: 5 })).not.toContain(secret);
    expect(error.message).toContain('[key]');
  });

  it('the conversation', () => {
    expect(inspect(explainModelError(apiError(400, 'no')), { depth: 9 })).not.toContain(
      'a whole conversation',
    );
  });

  it('but plain words that look a little like keys stay', () => {
    const { message } = explainModelError(apiError(400, 'The organization risk-assessment task is hf-free.'));
    expect(message).toContain('The organization risk-assessment task is hf-free.');
  });
});
