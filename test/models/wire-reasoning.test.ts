import { generateText, isStepCount, type ModelMessage, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openModel } from '../../src/models/index.ts';
import { callTool, reply } from '../support/wire-script.ts';
import { type Protocol, startWireServer } from '../support/wire-server.ts';

const QUESTION: ModelMessage = { role: 'user', content: 'What is six times seven?' };
const reasoning = { text: 'Seven sixes.', signature: 'c2lnbmVkIGJ5IG1l' };

/** Those who sign what they thought, and where the signature has to be when it comes back. */
const SIGNED: readonly { protocol: Protocol; sentBack: string }[] = [
  { protocol: 'anthropic', sentBack: `"thinking":"${reasoning.text}","signature":"${reasoning.signature}"` },
  { protocol: 'openai-responses', sentBack: `"encrypted_content":"${reasoning.signature}"` },
  { protocol: 'google', sentBack: `"thoughtSignature":"${reasoning.signature}"` },
];

describe.each(SIGNED)('what $protocol thought and signed', ({ protocol, sentBack }) => {
  it.each(['generate', 'stream'] as const)('is kept as JSON and sent back as it was, by %s', async (how) => {
    await using server = await startWireServer(protocol, [
      reply('42.', { reasoning }),
      reply('You are welcome.'),
    ]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const ask = (messages: ModelMessage[]) => ({ model, messages, maxOutputTokens: 64 });

    const first = how === 'generate' ? await generateText(ask([QUESTION])) : streamText(ask([QUESTION]));
    const kept = JSON.parse(JSON.stringify(await first.responseMessages)) as ModelMessage[];
    await generateText(ask([QUESTION, ...kept, { role: 'user', content: 'Thank you.' }]));

    expect(JSON.stringify(server.requests[1]!.body)).toContain(sentBack);
  });

  it('goes back together with the tool call that it led to', async () => {
    await using server = await startWireServer(protocol, [
      callTool('multiply', { a: 6, b: 7 }, { reasoning }),
      reply('42.'),
    ]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const multiply = tool({
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a * b,
    });

    await generateText({
      model,
      messages: [QUESTION],
      maxOutputTokens: 64,
      tools: { multiply },
      stopWhen: isStepCount(2),
    });

    const body = JSON.stringify(server.requests[1]!.body);
    expect(body).toContain(sentBack);
    expect(body.indexOf(reasoning.signature)).toBeLessThan(body.indexOf('42'));
  });
});

describe('a conversation with OpenAI', () => {
  it('is not left with OpenAI: every request is whole and asks for nothing to be stored', async () => {
    await using server = await startWireServer('openai-responses', [
      reply('42.', { reasoning }),
      reply('Yes.'),
    ]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const { responseMessages } = await generateText({ model, messages: [QUESTION], maxOutputTokens: 64 });
    await generateText({
      model,
      messages: [QUESTION, ...responseMessages, { role: 'user', content: 'Sure?' }],
      maxOutputTokens: 64,
    });

    expect(server.requests.map(({ body }) => body.store)).toEqual([false, false]);
    expect(JSON.stringify(server.requests[1]!.body)).not.toContain('item_reference');
    expect(JSON.stringify(server.requests[1]!.body.input)).toContain('42.');
  });

  it('can be stored all the same on request', async () => {
    await using server = await startWireServer('openai-responses', [reply('42.')]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const providerOptions = { openai: { store: true } };
    await generateText({ model, messages: [QUESTION], maxOutputTokens: 64, providerOptions });
    expect(server.requests[0]!.body.store).toBe(true);
  });
});

describe('a conversation with Anthropic', () => {
  it('marks where the cache may end, on instructions and on messages', async () => {
    await using server = await startWireServer('anthropic', [reply('42.')]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    await generateText({
      model,
      instructions: { role: 'system', content: 'Be exact.', providerOptions },
      messages: [{ ...QUESTION, providerOptions }],
      maxOutputTokens: 64,
    });

    const { system, messages } = server.requests[0]!.body;
    expect(system[0]).toEqual({ type: 'text', text: 'Be exact.', cache_control: { type: 'ephemeral' } });
    expect(messages[0].content[0].cache_control).toEqual({ type: 'ephemeral' });
  });
});
