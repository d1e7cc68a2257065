import { streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { explainModelError, generate, type OpenedModel, openModel } from '../../src/models/index.ts';
import { readStream } from '../support/read-stream.ts';
import {
  badRequest,
  cut,
  endEarly,
  fail,
  hang,
  malformed,
  noCredit,
  overflow,
  overloaded,
  rateLimited,
  reply,
  type Step,
  serverError,
  stall,
  unauthorized,
  unknownModel,
} from '../support/wire-script.ts';
import { PROTOCOLS, type Protocol, startWireServer } from '../support/wire-server.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Hello' }];

function ask(model: OpenedModel, { maxRetries = 0, timeoutMs = 5_000, signal }: Wishes = {}) {
  return generate({ model, messages: MESSAGES, maxOutputTokens: 64, timeoutMs, maxRetries, signal });
}
interface Wishes {
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Reads a stream and gives the error that it told of, explained. */
async function askByStream(model: OpenedModel, abortSignal?: AbortSignal) {
  const call = {
    model: model.languageModel,
    messages: MESSAGES,
    maxOutputTokens: 64,
    maxRetries: 0,
    onError() {},
  };
  const read = await readStream(streamText({ ...call, ...(abortSignal && { abortSignal }) }).stream);
  return { ...read, told: read.errors.map((error) => explainModelError(error, model).code) };
}

interface Fault {
  readonly name: string;
  readonly step: Step;
  readonly code: ErrorCode;
  readonly says: RegExp;
  readonly details?: object;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a wrong key',
    step: unauthorized(),
    code: 'model-refused',
    says: /did not accept the key in \w+_API_KEY/,
  },
  {
    name: 'a bad request',
    step: badRequest('too odd'),
    code: 'model-refused',
    says: /refused the request \(400\): too odd\./,
  },
  { name: 'a model that is not there', step: unknownModel(), code: 'model-unknown', says: /has no model "/ },
  { name: 'a server error', step: serverError(), code: 'model-failed', says: /failed \(500\)/ },
  { name: 'an overloaded server', step: overloaded(), code: 'model-busy', says: /Wait a little/ },
  { name: 'too long a request', step: overflow(), code: 'context-overflow', says: /Compact the session/ },
  {
    name: 'too many requests',
    step: rateLimited({ retryAfterSeconds: 7 }),
    code: 'model-busy',
    says: /Wait 7 seconds and try again/,
    details: { status: 429, retryAfterSeconds: 7 },
  },
  { name: 'what is not JSON', step: malformed(), code: 'model-failed', says: /cannot be read|stream error/ },
];

const OVERFLOWS: Record<Protocol, object> = {
  anthropic: { tokens: 210_000, limit: 200_000 },
  'openai-responses': { status: 400 },
  'openai-chat': { tokens: 210_000, limit: 200_000 },
  google: { tokens: 210_000, limit: 200_000 },
  ollama: { over: 10_000 },
};

describe.each(PROTOCOLS)('when %s answers with', (protocol) => {
  it.each(FAULTS)('$name, the error says so', async ({ step, code, says, details = {} }) => {
    await using server = await startWireServer(protocol, [step, step]);
    const model = await openModel(server.reference, { env: server.env });

    await expect(ask(model)).rejects.toMatchObject({ code, message: expect.stringMatching(says), details });
    expect(await askByStream(model)).toMatchObject({ told: [code], text: '' });
  });

  it('an overflow, the numbers are passed on as far as they are given', async () => {
    await using server = await startWireServer(protocol, [overflow()]);
    const model = await openModel(server.reference, { env: server.env });
    await expect(ask(model)).rejects.toMatchObject({ details: OVERFLOWS[protocol] });
  });

  it('an account without credit, waiting is not what helps', async () => {
    await using server = await startWireServer(protocol, [noCredit()]);
    const model = await openModel(server.reference, { env: server.env });
    // Google has one answer for both, so there it cannot be told from too many requests; Ollama has no accounts.
    const code = protocol === 'google' || protocol === 'ollama' ? 'model-busy' : 'model-refused';
    await expect(ask(model)).rejects.toMatchObject({ code });
  });

  it('one "too many requests" and then an answer, the caller sees the answer', async () => {
    await using server = await startWireServer(protocol, [
      rateLimited({ retryAfterSeconds: 0 }),
      reply('Here.'),
    ]);
    const model = await openModel(server.reference, { env: server.env });
    expect(await ask(model, { maxRetries: 2 })).toMatchObject({ text: 'Here.' });
    expect(server.requests).toHaveLength(2);
  });

  it('"too many requests" for good, it is asked as often as allowed and no more', async () => {
    await using server = await startWireServer(protocol, [
      rateLimited({ retryAfterSeconds: 0 }),
      rateLimited({ retryAfterSeconds: 0 }),
      rateLimited({ retryAfterSeconds: 31 }),
    ]);
    const model = await openModel(server.reference, { env: server.env });
    await expect(ask(model, { maxRetries: 2 })).rejects.toMatchObject({
      code: 'model-busy',
      details: { retryAfterSeconds: 31 },
    });
    expect(server.requests).toHaveLength(3);
  });

  it('half an answer and a broken connection, that is an error', async () => {
    await using server = await startWireServer(protocol, [cut(reply('One two three four five six.'))]);
    const model = await openModel(server.reference, { env: server.env });
    await expect(ask(model)).rejects.toMatchObject({ code: 'model-failed' });
  });

  it.each([
    { accident: cut, name: 'a broken connection' },
    { accident: endEarly, name: 'the end of the stream' },
    { accident: fail, name: 'an error' },
  ])('half a stream and $name, the received part is kept and the error is reported', async ({ accident }) => {
    await using server = await startWireServer(protocol, [accident(reply('One two three four five six.'))]);
    const model = await openModel(server.reference, { env: server.env });
    const { text, told } = await askByStream(model);
    expect(text).toMatch(/^One two/);
    expect(text).not.toContain('six');
    expect(told).toEqual([expect.stringMatching(/^model-(?:failed|busy)$/)]);
  });

  it.each([
    { step: hang(), name: 'nothing at all' },
    { step: stall(reply('One two three four.')), name: 'half an answer and then nothing' },
  ])('$name, the call ends when its time is over', async ({ step }) => {
    await using server = await startWireServer(protocol, [step]);
    const model = await openModel(server.reference, { env: server.env });
    await expect(ask(model, { timeoutMs: 50, maxRetries: 2 })).rejects.toMatchObject({
      code: 'model-timeout',
      message: expect.stringMatching(/sent nothing for 0\.05 seconds, the timeout that is set/),
    });
    await server.requests[0]?.closed;
  });

  it('nothing, a call that is stopped ends as stopped and hangs up', async () => {
    await using server = await startWireServer(protocol, [hang()]);
    const model = await openModel(server.reference, { env: server.env });
    const stop = new AbortController();
    const call = ask(model, { signal: stop.signal });
    const { closed } = await server.received(1);
    stop.abort(new Error('changed my mind'));
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await closed;
  });

  it('half a stream, a stop keeps what came', async () => {
    await using server = await startWireServer(protocol, [stall(reply('One two three four.'))]);
    const model = await openModel(server.reference, { env: server.env });
    const stop = new AbortController();
    const call = {
      model: model.languageModel,
      messages: MESSAGES,
      maxOutputTokens: 64,
      abortSignal: stop.signal,
    };
    let text = '';
    for await (const part of streamText(call).stream) {
      if (part.type !== 'text-delta') continue;
      text += part.text;
      stop.abort();
    }
    expect(text).toMatch(/^One/);
    await server.requests[0]!.closed;
  });

  it('its own key in an error, neither the error nor what caused it repeats the key', async () => {
    const key = 'a-key-of-no-known-form';
    const step = unauthorized({
      message: `The key ${key} is not ours, and neither is sk-ant-${'x'.repeat(20)}`,
    });
    await using server = await startWireServer(protocol, [step, step], { key });
    const model = await openModel(server.reference, { env: server.env });

    const error = await ask(model).catch((thrown: Error) => thrown as Error & { cause: Error });
    const { errors } = await askByStream(model);
    const shown = JSON.stringify([error, errors], (_, value: unknown) =>
      value instanceof Error
        ? { ...value, message: value.message, stack: value.stack, cause: value.cause }
        : value,
    );
    expect(shown).toContain('[key] is not ours');
    expect(shown).not.toContain(key);
    expect((error as Error).message).not.toContain('sk-ant');
  });
});
