import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveConsent } from '../../../src/agent/index.ts';
import type { LiveEvent } from '../../../src/faces/rpc/client/index.ts';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { checkAnnounced, MODELS, newTally, openStage, type Stage, WIRES } from './announced.ts';
import { anySession, text } from './any-session.ts';
import { until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

it.each(WIRES)(
  'with any history of a session, the announced request is the sent one, over %s',
  async (wire) => {
    const tally = newTally();
    await fc.assert(
      fc.asyncProperty(anySession, fc.constantFrom(...MODELS), (session, model) =>
        checkAnnounced(stage, session, { wire, model, tally }),
      ),
      { numRuns: 10 },
    );
    expect(tally.requests).toBeGreaterThan(0);
  },
);

/** Sends a message and gives what happened until the turn was over. */
async function send(client: RpcClient, sessionId: string, content: string): Promise<LiveEvent[]> {
  const { aiSessionId } = await client.call('ai/session/create', { chatSessionId: sessionId });
  const events: LiveEvent[] = [];
  const watch = client.watch(sessionId, { onEvent: (event) => events.push(event) });
  await client.call('ai/session/send', { sessionId: aiSessionId, content });
  await until(() => events.some(({ type }) => /^turn-(?:end|error)$/.test(type)) || undefined);
  watch.close();
  return events;
}

/** Messages of about so many tokens each. */
async function fill(client: RpcClient, sessionId: string, count: number, tokens: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const content = `<<${index}>> ${'all the details of it '.repeat(Math.floor(tokens / 5))}`;
    await client.call('chat/message/add', { sessionId, role, content });
  }
}

describe('the policy of a session', () => {
  const model = { provider: 'anthropic', model: 'claude-sonnet-4-5' };

  it('sends all of the 14 long messages that resume announced', async () => {
    await using wire = await startWireServer('anthropic', [reply('Yes.')]);
    await using line = await TRANSPORTS.websocket({ env: wire.env });
    const { client } = line;
    const { session } = await client.call('chat/session/create', model);
    await fill(client, session.id, 14, 11_000);
    const resumed = await client.call('ai/session/resume', { chatSessionId: session.id });
    expect(resumed).toMatchObject({ messagesLoaded: 14, autoCompacted: false, contextWindow: 200_000 });
    expect(resumed.contextTokens).toBeGreaterThan(0.8 * 192_000);
    const events = await send(client, session.id, 'Go on?');
    expect(events.map(({ type }) => type)).not.toContain('compaction-start');
    const body = JSON.stringify(wire.requests[0]!.body);
    for (let index = 0; index < 14; index++) expect(body).toContain(`<<${index}>>`);
  });

  it('keeps the last whole turn, whatever its size, by every policy', async () => {
    for (const compaction of ['balanced', 'checkpoint', 'army', 'window'] as const) {
      await using wire = await startWireServer('anthropic', () => reply('Yes.'));
      await using line = await TRANSPORTS.websocket({ env: wire.env });
      const { client } = line;
      const { session } = await client.call('chat/session/create', { ...model, compaction });
      await fill(client, session.id, 6, 30_000);
      const resumed = await client.call('ai/session/resume', { chatSessionId: session.id });
      await send(client, session.id, 'Go on?');
      const bodies = wire.requests.map((request) => JSON.stringify(request.body));
      const body = bodies.find((one) => one.includes('Go on?'))!;
      expect([body.includes('<<4>>'), body.includes('<<5>>'), compaction]).toEqual([true, true, compaction]);
      expect(resumed.messagesLoaded).toBeGreaterThanOrEqual(2);
    }
  });

  it('is `window` for a session made over RPC, unless its maker says otherwise, and `balanced` for any other', async () => {
    const store = createMemoryStore();
    await store.create({ id: 'made-elsewhere' });
    await using line = await TRANSPORTS.http({ store });
    const { client } = line;
    const policyOf = async (sessionId: string) =>
      (await client.call('chat/session/get', { sessionId })).session.compaction;
    const { session } = await client.call('chat/session/create', {});
    const { chatSessionId } = await client.call('ai/session/create', {});
    expect([await policyOf(session.id), await policyOf(chatSessionId)]).toEqual(['window', 'window']);
    expect(await policyOf('made-elsewhere')).toBe('balanced');
    const own = { trigger: { tokens: 9_000 }, keep: { messages: 4 } };
    const { session: other } = await client.call('chat/session/create', { compaction: own });
    expect(other.compaction).toMatchObject(own);
    await client.call('chat/session/update', { sessionId: session.id, compaction: 'off' });
    expect(await policyOf(session.id)).toBe('off');
    await client.call('chat/session/update', { sessionId: session.id, compaction: null });
    expect(await policyOf(session.id)).toBe('balanced');
    await expect(
      client.call('chat/session/update', { sessionId: session.id, settings: { compaction: 'off' } }),
    ).rejects.toMatchObject({ code: 'usage', details: { setting: 'compaction' } });
    await expect(
      client.call('chat/session/create', { compaction: 'now and then' as 'off' }),
    ).rejects.toMatchObject({ code: 'usage' });
  });

  it('is the same for resume, for send and for the meter', async () => {
    for (const compaction of ['balanced', 'off'] as const) {
      await using wire = await startWireServer('anthropic', () => reply('Yes.'));
      await using line = await TRANSPORTS.websocket({ env: wire.env });
      const { client } = line;
      const { session } = await client.call('chat/session/create', { ...model, compaction });
      await fill(client, session.id, 20, 9_000);
      const before = await client.call('chat/context/meter', { sessionId: session.id });
      const resumed = await client.call('ai/session/resume', { chatSessionId: session.id });
      const compacts = compaction === 'balanced';
      expect([before.compacts, resumed.autoCompacted]).toEqual([compacts, compacts]);
      const events = await send(client, session.id, 'Go on?');
      expect(events.filter(({ type }) => type === 'compaction-start')).toEqual([]);
    }
  });
});

describe('the meter', () => {
  it('counts the instructions and the tools of the agent', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'throughline-agent-'));
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const agentPath = path.join(home, 'sally.mjs');
      const tools = Array.from(
        { length: 40 },
        (_, n) =>
          `t${n}: { description: 'Looks at part ${n}.', inputSchema: { type: 'object' }, execute: () => 1 }`,
      );
      writeFileSync(
        agentPath,
        `export const name = 'Sally'; export const instructions = ${JSON.stringify(`Be brief. ${text(2_000)}`)}; export const tools = { ${tools.join(', ')} };`,
      );
      await giveConsent(agentPath);
      await using wire = await startWireServer('openai-chat', [reply('Yes.')]);
      const store = createMemoryStore();
      await using line = await TRANSPORTS.websocket({ store, env: wire.env, agents: true });
      const { client } = line;
      const { session } = await client.call('chat/session/create', {});
      await store.append(session.id, [
        { body: { kind: 'setting', name: 'agentPath', value: agentPath, by: 'user' } },
      ]);
      const question = 'Which port?';
      const announced = await client.call('chat/context/meter', { sessionId: session.id, question });
      const started = (await send(client, session.id, question)).find(
        (event) => event.type === 'request-start',
      )!;
      expect(announced.tokens).toBe(started.tokens);
      expect(announced.parts).toEqual(started.parts);
      expect(wire.requests[0]!.body.tools).toHaveLength(40);
    } finally {
      process.env.HOME = before;
      rmSync(home, { recursive: true, force: true });
    }
  });
});
