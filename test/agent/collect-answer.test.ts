import { streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createCollector,
  growParts,
  type PartDelta,
  saidParts,
} from '../../src/agent/answer/collect-answer.ts';
import { openModel } from '../../src/models/index.ts';
import type { Part } from '../../src/record/index.ts';
import { isStreamFrame } from '../../src/text/index.ts';
import { callTool, reply } from '../support/wire-script.ts';
import { PROTOCOLS, startWireServer } from '../support/wire-server.ts';

const reasoning = { text: 'Seven sixes.', signature: 'c2lnbmVkIGJ5IG1l' };
const STEPS = {
  'an answer': reply('It is forty-two, I think.'),
  'an answer with reasoning': reply('It is 42.', { reasoning }),
  'a call': callTool('multiply', { a: 6, b: 7 }, { text: 'One moment.', reasoning }),
  'a call and nothing else': callTool('multiply', { a: 6, b: 7 }),
};

describe.each(PROTOCOLS)('what %s streams', (protocol) => {
  it.each(Object.entries(STEPS))('%s, is collected as the AI SDK would keep it', async (_, step) => {
    await using server = await startWireServer(protocol, [step]);
    const { languageModel: model } = await openModel(server.reference, { env: server.env });
    const tools = { multiply: { inputSchema: z.looseObject({ a: z.number() }) } };
    const result = streamText({ model, prompt: 'Well?', maxOutputTokens: 64, tools });
    const collector = createCollector();
    const deltas: PartDelta[] = [];
    for await (const part of result.stream) deltas.push(...collector.take(part));

    const [kept] = await result.responseMessages;
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    // But for the frame of a stream, which the SDK sends to nobody.
    const content = (plain(kept!.content) as Part[]).filter((part) => !isStreamFrame(part));
    expect(plain(saidParts(collector.parts))).toEqual(content);

    // What was flushed adds up to the same, wherever the flushes fell.
    const again: Part[] = [];
    for (const delta of plain(deltas)) growParts(again, delta);
    expect(saidParts(again)).toEqual(plain(saidParts(collector.parts)));
  });
});
