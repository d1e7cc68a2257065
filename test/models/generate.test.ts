import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generate, openModel } from '../../src/models/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

const QUICK = {
  messages: [{ role: 'user' as const, content: 'Hello' }],
  maxOutputTokens: 64,
  timeoutMs: 5_000,
};

const told = { inputTokens: { total: 3, noCache: 3 }, outputTokens: { total: 2, text: 2 } };
const mock = (fields: object = {}) =>
  new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'Hello.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: told as never,
      warnings: [{ type: 'other', message: 'mind the gap' }],
      ...fields,
    },
  });

describe('a call', () => {
  const warned = vi.fn();
  beforeEach(() => void process.on('warning', warned));
  afterEach(() => void process.off('warning', warned));

  it('prints no warnings, and leaves the switch of the AI SDK alone', async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'AI_SDK_LOG_WARNINGS');
    expect(await generate({ ...QUICK, model: mock() })).toMatchObject({ text: 'Hello.' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(warned).not.toHaveBeenCalled();
    expect(Object.getOwnPropertyDescriptor(globalThis, 'AI_SDK_LOG_WARNINGS')).toEqual(before);
  });

  it('takes any model of the AI SDK', async () => {
    expect(await generate({ ...QUICK, model: mock() })).toEqual({
      text: 'Hello.',
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 2 },
      durationMs: expect.any(Number),
    });
  });

  it('counts nothing where a provider tells nothing', async () => {
    const usage = { inputTokens: { total: Number.NaN }, outputTokens: {} };
    const { usage: counted } = await generate({ ...QUICK, model: mock({ usage }) });
    expect(counted).toEqual({ inputTokens: 0, outputTokens: 0 });
  });

  it('that was stopped before it began is not sent', async () => {
    await using server = await startWireServer('anthropic', [reply('never')]);
    const model = await openModel(server.reference, { env: server.env });
    await expect(generate({ ...QUICK, model, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(server.requests).toEqual([]);
  });

  it('asks for no more than one answer and sends no tools', async () => {
    await using server = await startWireServer('anthropic', [reply('Hello.')]);
    const model = await openModel(server.reference, { env: server.env });
    await generate({ ...QUICK, model });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]!.body).toEqual({
      model: model.model,
      max_tokens: 64,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  it('costs what the price list says, the cache at its own price', async () => {
    const usage = { input: 1_000_000, output: 100_000, cacheRead: 500_000 };
    await using server = await startWireServer('anthropic', [reply('Hello.', { usage })]);
    const model = await openModel(server.reference, { env: server.env });
    const { input, output, cacheRead } = model.price!;
    const { usage: counted } = await generate({ ...QUICK, model });
    expect(counted.cost).toBeCloseTo(input / 2 + cacheRead! / 2 + output / 10);
  });

  it.each(['ollama', 'openai-chat'] as const)('of %s has no price', async (protocol) => {
    await using server = await startWireServer(protocol, [reply('Hello.')]);
    const model = await openModel(server.reference, { env: server.env });
    expect((await generate({ ...QUICK, model })).usage).not.toHaveProperty('cost');
  });
});
