import { describe, expect, it } from 'vitest';
import { compactByProvider, readCalls, runTurn } from '../../src/agent/index.ts';
import { listCompactions } from '../../src/compaction/index.ts';
import { openModel } from '../../src/models/index.ts';
import { createSession, expandCompactions } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer, type WireServer } from '../support/wire-server.ts';

const SUMMARY = 'NATIVE SUMMARY: the printer in Leeds charges 4711 pounds.';
const usage = { input: 50_000, output: 900, cacheRead: 49_000 };
const made = reply('', { native: { text: SUMMARY, signature: 'sig' }, finish: 'compaction', usage });
const look = { description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 'PAGE' };
const sent = (server: WireServer, nth = -1): string => JSON.stringify(server.requests.at(nth)!.body);

/** Asks for the provider's summary by what each of them calls it. */
const DEMAND = {
  anthropic: /"compaction":\{"type":"summarize"/,
  'openai-responses': /"type":"compaction_trigger"/,
};

describe.each(['anthropic', 'openai-responses'] as const)('asked for by %s', (protocol) => {
  it('is one more request of the chat, and a compaction like any other', async () => {
    await using server = await startWireServer(protocol, [
      reply('Answer one.'),
      reply('Answer two.'),
      made,
      reply('Answer three.'),
      reply('Answer four.'),
    ]);
    const { reference: model, env } = server;
    await using session = await createSession(createMemoryStore());
    const options = { model, openModel: { env }, tools: { look }, compaction: false } as const;
    await runTurn(session, 'The printer in Leeds charges 4711 pounds.', options);
    await runTurn(session, 'Question two?', options);
    const opened = await openModel(model, { env });
    const result = await compactByProvider(session, { opened });
    expect(result).toMatchObject({ by: { kind: 'provider', model }, messagesCompacted: 2, merges: 0 });
    expect(sent(server)).toMatch(DEMAND[protocol]);
    expect(sent(server)).toContain('Answer two.');
    expect(server.requests.at(-1)!.body.tools).toEqual(server.requests.at(-2)!.body.tools);

    await runTurn(session, 'Question three?', options);
    expect(sent(server)).toContain(SUMMARY);
    expect(sent(server)).not.toMatch(DEMAND[protocol]);
    for (const gone of ['The printer in Leeds charges 4711 pounds."', 'Question two', 'Answer two'])
      expect(sent(server)).not.toContain(gone);
    const calls: unknown[] = [];
    for await (const call of readCalls(session.store, await session.refresh()))
      calls.push([call.for, call.usage?.inputTokens]);
    expect(calls).toEqual([
      ['answer', 12],
      ['answer', 12],
      ['compaction', 50_000],
      ['answer', 12],
    ]);
    await expandCompactions(session, { entry: result.compactionId as never });
    await runTurn(session, 'Question four?', options);
    expect(sent(server)).not.toContain(SUMMARY);
    expect(sent(server)).toContain('Answer two.');
  });

  it('over RPC is chosen by one word, and refused with how much should stay', async () => {
    await using server = await startWireServer(protocol, [reply('One.'), reply('Two.'), made]);
    await using line = await TRANSPORTS.http({ env: server.env });
    const { call } = line.client;
    const { id } = await call('chat/session/create', { compaction: 'off' });
    for (const content of ['The printer in Leeds charges 4711 pounds.', 'Two?'])
      await call('ai/session/send', { storageSessionId: id, content, wait: true });
    await expect(
      call('ai/context/compact', { chatSessionId: id, writer: 'provider', keepTurns: 1 }),
    ).rejects.toMatchObject({ code: 'usage' });
    const compacted = await call('ai/context/compact', { chatSessionId: id, writer: 'provider' });
    expect(compacted).toMatchObject({ by: { kind: 'provider', model: server.reference } });
  });
});

it('is refused where there is none: the model did not answer here, has no such provider, or sent nothing', async () => {
  await using server = await startWireServer('anthropic', [reply('One.'), reply('Two.'), reply('No block.')]);
  await using other = await startWireServer('google', []);
  await using session = await createSession(createMemoryStore());
  const opened = await openModel(server.reference, { env: server.env });
  const foreign = await openModel(other.reference, { env: other.env });
  const refusal = { code: 'summary-rejected' };
  await expect(compactByProvider(session, { opened })).rejects.toMatchObject(refusal);
  const options = { model: server.reference, openModel: { env: server.env }, compaction: false } as const;
  await runTurn(session, 'One?', options);
  await runTurn(session, 'Two?', options);
  await expect(compactByProvider(session, { opened: foreign })).rejects.toMatchObject(refusal);
  await expect(compactByProvider(session, { opened })).rejects.toMatchObject(refusal);
  expect(await listCompactions(session.store, await session.refresh())).toEqual([]);
});
