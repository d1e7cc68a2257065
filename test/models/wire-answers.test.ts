import { generateText, isStepCount, type ModelMessage, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { generate, openModel, readUsage } from '../../src/models/index.ts';
import { readStream } from '../support/read-stream.ts';
import { callTool, reply, replyObject, trickle } from '../support/wire-script.ts';
import { PROTOCOLS, type Protocol, startWireServer, type WireRequest } from '../support/wire-server.ts';

const HELLO: ModelMessage[] = [{ role: 'user', content: 'Hello' }];
const QUICK = { messages: HELLO, maxOutputTokens: 64, timeoutMs: 5_000, maxRetries: 0 };
const USAGE = { input: 100, output: 20, cacheRead: 60, reasoning: 4 };

/** Where each protocol puts the same things. */
const SENT: Record<Protocol, (request: WireRequest) => Record<string, unknown>> = {
  anthropic: ({ body, headers }) => ({
    key: headers['x-api-key'],
    model: body.model,
    instructions: body.system[0].text,
    said: body.messages.at(-1).content[0].text,
    most: body.max_tokens,
  }),
  'openai-responses': ({ body, headers }) => ({
    key: String(headers.authorization).replace('Bearer ', ''),
    model: body.model,
    instructions: body.input[0].content,
    said: body.input.at(-1).content[0].text,
    most: body.max_output_tokens,
  }),
  'openai-chat': ({ body, headers }) => ({
    key: String(headers.authorization).replace('Bearer ', ''),
    model: body.model,
    instructions: body.messages[0].content,
    said: body.messages.at(-1).content,
    most: body.max_tokens,
  }),
  google: ({ path, body, headers }) => ({
    key: headers['x-goog-api-key'],
    model: /models\/([^:]+)/.exec(path)?.[1],
    instructions: body.systemInstruction.parts[0].text,
    said: body.contents.at(-1).parts[0].text,
    most: body.generationConfig.maxOutputTokens,
  }),
  ollama: (request) => SENT['openai-chat'](request),
};

/** The call and its result, as the second request has to hold them. */
const PAIR: Record<Protocol, (request: WireRequest) => unknown[]> = {
  anthropic: ({ body }) =>
    body.messages.slice(1).map(({ content }: { content: unknown[] }) => content.at(-1)),
  'openai-responses': ({ body }) => body.input.slice(1),
  'openai-chat': ({ body }) => [body.messages[1].tool_calls[0], body.messages[2]],
  google: ({ body }) => [body.contents[1].parts[0], body.contents[2].parts[0]],
  ollama: (request) => PAIR['openai-chat'](request),
};
const CHAT_PAIR = [
  { id: 'call_weather', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
  { role: 'tool', tool_call_id: 'call_weather', content: 'sun over Bern' },
];
const PAIRS: Record<Protocol, unknown[]> = {
  anthropic: [
    { type: 'tool_use', id: 'call_weather', name: 'weather', input: { city: 'Bern' } },
    { type: 'tool_result', tool_use_id: 'call_weather', content: 'sun over Bern' },
  ],
  'openai-responses': [
    { type: 'function_call', call_id: 'call_weather', name: 'weather', arguments: '{"city":"Bern"}' },
    { type: 'function_call_output', call_id: 'call_weather', output: 'sun over Bern' },
  ],
  'openai-chat': CHAT_PAIR,
  google: [
    { functionCall: { name: 'weather', args: { city: 'Bern' } } },
    { functionResponse: { name: 'weather', response: { name: 'weather', content: 'sun over Bern' } } },
  ],
  ollama: CHAT_PAIR,
};

describe.each(PROTOCOLS)('over the wire of %s', (protocol) => {
  it('sends key, model, instructions, messages and the most tokens wanted', async () => {
    await using server = await startWireServer(protocol, [reply('Hello back.')]);
    const model = await openModel(server.reference, { env: server.env });

    const { text, finishReason } = await generate({ ...QUICK, model, instructions: 'Be kind.' });

    expect({ text, finishReason }).toEqual({ text: 'Hello back.', finishReason: 'stop' });
    expect(SENT[protocol](server.requests[0]!)).toEqual({
      key: server.key,
      model: model.model,
      instructions: 'Be kind.',
      said: 'Hello',
      most: 64,
    });
  });

  it('streams an answer, also one that trickles in', async () => {
    await using server = await startWireServer(protocol, [
      reply('One two three.'),
      trickle(reply('One, two.')),
    ]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });

    const streamed = await readStream(streamText({ model, messages: HELLO, maxOutputTokens: 64 }).stream);
    const trickled = await readStream(streamText({ model, messages: HELLO, maxOutputTokens: 64 }).stream);

    expect([streamed.text, trickled.text]).toEqual(['One two three.', 'One, two.']);
    expect([streamed.finishReason, streamed.errors]).toEqual(['stop', []]);
    expect(server.requests.map(({ streaming }) => streaming)).toEqual([true, true]);
  });

  it('reports the usage of one call, with tokens from a cache and reasoning', async () => {
    await using server = await startWireServer(protocol, [
      reply('a', { usage: USAGE }),
      reply('b', { usage: USAGE }),
    ]);
    const model = await openModel(server.reference, { env: server.env });

    const { usage } = await generate({ ...QUICK, model });
    const { usages } = await readStream(
      streamText({ model: model.languageModel, messages: HELLO, maxOutputTokens: 64 }).stream,
    );

    const told = {
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
      // Anthropic counts what was thought as output, and does not say how much of it that was.
      ...(protocol === 'anthropic' ? { cacheWriteTokens: 0 } : { reasoningTokens: 4 }),
    };
    expect(usage).toMatchObject(told);
    expect(usages.map((step) => readUsage(step))).toMatchObject([told]);
  });

  it('says when an answer was cut off at the most tokens wanted', async () => {
    await using server = await startWireServer(protocol, [reply('Once upon a', { finish: 'length' })]);
    const model = await openModel(server.reference, { env: server.env });
    expect(await generate({ ...QUICK, model })).toMatchObject({
      text: 'Once upon a',
      finishReason: 'length',
    });
  });

  it('answers in a shape, and keeps the text of an answer that has another', async () => {
    await using server = await startWireServer(protocol, [
      replyObject({ city: 'Bern' }),
      reply('It is Bern.'),
    ]);
    const model = await openModel(server.reference, { env: server.env });
    const schema = z.object({ city: z.string() });

    expect(await generate({ ...QUICK, model, schema })).toMatchObject({ object: { city: 'Bern' } });
    const misfit = await generate({ ...QUICK, model, schema });
    expect(misfit).toMatchObject({ text: 'It is Bern.', usage: { inputTokens: 12, outputTokens: 5 } });
    expect(misfit).not.toHaveProperty('object');
    expect(JSON.stringify(server.requests[0]!.body)).toContain('"city"');
  });

  it.each(['generate', 'stream'] as const)('calls a tool and gets its result, by %s', async (how) => {
    await using server = await startWireServer(protocol, [
      callTool('weather', { city: 'Bern' }),
      reply('Sunny.'),
    ]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const weather = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `sun over ${city}`,
    });
    const options = {
      model,
      messages: HELLO,
      maxOutputTokens: 64,
      tools: { weather },
      stopWhen: isStepCount(3),
    };

    const { text } =
      how === 'generate' ? await generateText(options) : await readStream(streamText(options).stream);

    expect(text).toBe('Sunny.');
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests[0]!.body)).toContain('"weather"');
    expect(PAIR[protocol](server.requests[1]!)).toMatchObject(PAIRS[protocol]);
  });

  it('says of each step of a turn what it used, and not their sum', async () => {
    await using server = await startWireServer(protocol, [
      callTool('weather', { city: 'Bern' }, { usage: { input: 50, output: 10 } }),
      reply('Sunny.', { usage: { input: 80, output: 3 } }),
    ]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: () => 'sun' });
    const { usages } = await readStream(
      streamText({
        model,
        messages: HELLO,
        maxOutputTokens: 64,
        tools: { weather },
        stopWhen: isStepCount(3),
      }).stream,
    );
    expect(usages.map((step) => readUsage(step).inputTokens)).toEqual([50, 80]);
  });
});
