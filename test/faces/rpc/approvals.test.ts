import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ApprovalRequest, giveConsent } from '../../../src/agent/index.ts';
import type { LiveEvent, RpcClient } from '../../../src/faces/rpc/client/index.ts';
import { createApprovals } from '../../../src/operations/runs/approvals.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { callTool, reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { EACH, type Options, TRANSPORTS } from './transports.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** An agent whose only tool writes a line into a file, and asks first. */
async function openWorkshop(needsApproval: true | 'every-time' = true) {
  const folder = tempFolder();
  vi.stubEnv('HOME', folder.path);
  const log = folder.file('ran.txt');
  const agent = folder.file('agent.mjs');
  writeFileSync(log, '');
  writeFileSync(
    agent,
    `import { appendFileSync } from 'node:fs';
     export const name = 'Carl'; export const instructions = 'Be careful.';
     export const tools = { deploy: {
       description: 'Deploys.',
       inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
       needsApproval: ${JSON.stringify(needsApproval)},
       execute: ({ to }) => { appendFileSync(${JSON.stringify(log)}, to + '\\n'); return 'Deployed to ' + to + '.'; },
     } };`,
  );
  await giveConsent(agent);
  const model = await startWireServer('openai-chat', ({ body }) => {
    const last = body.messages.at(-1);
    return last.role === 'tool'
      ? reply(`The tool said: ${last.content}`)
      : callTool('deploy', { to: 'staging' });
  });
  return {
    agent,
    model,
    ran: () => readFileSync(log, 'utf8').trim(),
    options: { agents: true, env: model.env } satisfies Options,
    async session(store: Store, id = 's') {
      await store.create({ id }, [
        { body: { kind: 'setting', name: 'agentPath', value: agent, by: 'user' } },
      ]);
      return id;
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const types = (events: readonly LiveEvent[]) =>
  events.map(({ type }) => type).filter((type) => /approval|tool|turn/.test(type));

describe.each(EACH)('a tool that needs approval, over %s', (_, open) => {
  it.each([
    [true, undefined, 'The tool said: Deployed to staging.', 'staging', 'done'],
    [false, 'Not on a Friday.', 'Not on a Friday.', '', 'denied'],
  ] as const)('runs with an approval only: %s', async (approve, reason, said, ran, outcome) => {
    await using workshop = await openWorkshop();
    await using line = await open({ ...workshop.options });
    const { client } = line;
    const chatSessionId = await workshop.session(line.store);
    const events: LiveEvent[] = [];
    let ready = false;
    client.watch(chatSessionId, {
      onEvent: (event) => events.push(event),
      onCaughtUp: () => {
        ready = true;
      },
    });
    await until(() => ready);
    const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId });
    const { messageId } = await client.call('ai/session/send', {
      sessionId: aiSessionId,
      content: 'Deploy it.',
    });
    const asked = await until(() => events.find((event) => event.type === 'approval-start'));
    expect(asked).toEqual({
      type: 'approval-start',
      toolCallId: 'call_deploy',
      toolName: 'deploy',
      input: { to: 'staging' },
      scopes: ['once', 'session', 'always'],
      until: expect.any(Number),
    });
    expect(workshop.ran()).toBe('');
    const { requests } = await client.call('ai/tool/pending', { chatSessionId });
    const { type: __, ...question } = asked;
    expect(requests).toEqual([{ turn: messageId, ...question }]);
    const answer = { chatSessionId, toolCallId: asked.toolCallId, approve, ...(reason && { reason }) };
    expect(await client.call('ai/tool/answer', answer)).toEqual({ answered: true });
    // The first answer counts.
    expect(await client.call('ai/tool/answer', { ...answer, approve: !approve })).toEqual({
      answered: false,
    });
    await until(() => events.some(({ type }) => type === 'turn-end'));
    expect(workshop.ran()).toBe(ran);
    expect(events).toContainEqual({
      type: 'approval-end',
      toolCallId: 'call_deploy',
      toolName: 'deploy',
      approved: approve,
      scope: 'once',
      by: 'owner',
      reason: reason ?? null,
    });
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({ outcome });
    const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
    expect(messages.at(-1)!.content).toContain(said);
    expect((await client.call('ai/tool/pending', { chatSessionId })).requests).toEqual([]);
  });
});

describe('a tool that needs approval', () => {
  it('is not run without an answer in time, and the model gets the reason', async () => {
    await using workshop = await openWorkshop();
    await using line = await TRANSPORTS.stdio({ ...workshop.options, approvalMs: 30 });
    const chatSessionId = await workshop.session(line.store);
    const { aiSessionId } = await line.client.call('ai/session/resume', { chatSessionId });
    await line.client.call('ai/session/send', { sessionId: aiSessionId, content: 'Deploy it.' });
    const answer = await until(async () => {
      const { messages } = await line.client.call('chat/message/list', { sessionId: chatSessionId });
      return messages.length === 4 ? messages.at(-1) : undefined;
    });
    expect(answer.content).toContain('nobody gave it');
    expect(workshop.ran()).toBe('');
  });

  it('is asked in a window opened later too, and stops with its turn', async () => {
    await using workshop = await openWorkshop();
    await using line = await TRANSPORTS.websocket(workshop.options);
    const { client } = line;
    const chatSessionId = await workshop.session(line.store);
    const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Deploy it.', stream: false });
    await until(async () => (await client.call('ai/tool/pending', { chatSessionId })).requests.length === 1);
    const late: LiveEvent[] = [];
    client.watch(chatSessionId, { onEvent: (event) => late.push(event) });
    await until(() => late.length > 0);
    expect(types(late)).toEqual(['approval-start']);
    await client.call('ai/session/cancel', { chatSessionId });
    await until(() => late.some(({ type }) => type === 'turn-end'));
    expect(types(late)).toEqual(['approval-start', 'approval-end', 'tool-end', 'turn-end']);
    expect(late).toContainEqual(expect.objectContaining({ type: 'tool-end', outcome: 'interrupted' }));
    expect(workshop.ran()).toBe('');
    const answer = { chatSessionId, toolCallId: 'call_deploy', approve: true };
    expect(await client.call('ai/tool/answer', answer)).toEqual({ answered: false });
  });

  it('is answered for its own session alone', async () => {
    await using workshop = await openWorkshop();
    await using line = await TRANSPORTS.stdio({ ...workshop.options, store: createMemoryStore() });
    const { client } = line;
    const asked = await workshop.session(line.store);
    await client.call('chat/session/create', { id: 'other' });
    const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId: asked });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Deploy it.' });
    const pending = async (chatSessionId: string) =>
      (await client.call('ai/tool/pending', { chatSessionId })).requests.length;
    await until(async () => (await pending(asked)) === 1);
    expect(await pending('other')).toBe(0);
    const answer = { toolCallId: 'call_deploy', approve: true };
    expect(await client.call('ai/tool/answer', { chatSessionId: 'other', ...answer })).toEqual({
      answered: false,
    });
    expect(await pending(asked)).toBe(1);
    expect(await client.call('ai/tool/answer', { chatSessionId: asked, ...answer })).toEqual({
      answered: true,
    });
    await until(() => workshop.ran() === 'staging');
  });
});

describe.each(EACH)('a yes that holds for longer, over %s', (_, open) => {
  it.each(['session', 'always'] as const)(
    'for %s is not asked for again until it is taken back',
    async (scope) => {
      await using workshop = await openWorkshop();
      await using line = await open(workshop.options);
      const { client } = line;
      const chatSessionId = await workshop.session(line.store);
      const talk = startTalk(client, chatSessionId);

      const asked = await talk.askFor('Deploy it.');
      expect(asked).toMatchObject({ toolName: 'deploy', scopes: ['once', 'session', 'always'] });
      await client.call('ai/tool/answer', { chatSessionId, toolCallId: 'call_deploy', approve: true, scope });
      await until(() => workshop.ran() === 'staging');
      await talk.say('And once more.');
      expect(workshop.ran()).toBe('staging\nstaging');

      const agent = realpathSync(workshop.agent);
      const kept = { scope, toolName: 'deploy', agent, approvedAt: expect.any(Number) };
      const { approvals } = await client.call('ai/tool/approvals', { chatSessionId });
      expect(approvals).toEqual([{ ...kept, by: scope === 'session' ? 'owner' : null }]);
      const { approvals: everywhere } = await client.call('ai/tool/approvals', {});
      expect(everywhere).toHaveLength(scope === 'always' ? 1 : 0);

      // Another session asks, unless it was allowed for good.
      const other = startTalk(client, await workshop.session(line.store, 'other'));
      if (scope === 'always') await other.say('Deploy it.');
      else expect(await other.askFor('Deploy it.')).toMatchObject({ toolName: 'deploy' });
      await client.call('ai/session/cancel', { chatSessionId: 'other', all: true });

      const take = { scope, toolName: 'deploy', ...(scope === 'session' && { chatSessionId }) };
      expect(await client.call('ai/tool/revoke', { ...take, toolName: 'another' })).toEqual({ revoked: 0 });
      expect(await client.call('ai/tool/revoke', take)).toEqual({ revoked: 1 });
      expect((await client.call('ai/tool/approvals', { chatSessionId })).approvals).toEqual([]);
      expect(await talk.askFor('And again.')).toMatchObject({ toolName: 'deploy' });
      await client.call('ai/session/cancel', { chatSessionId, all: true });
    },
  );
});

describe('a yes that holds for longer', () => {
  it('is not offered and not taken for a tool that asks every time', async () => {
    await using workshop = await openWorkshop('every-time');
    await using line = await TRANSPORTS.stdio(workshop.options);
    const { client } = line;
    const chatSessionId = await workshop.session(line.store);
    expect(await startTalk(client, chatSessionId).askFor('Deploy it.')).toMatchObject({ scopes: ['once'] });
    const answer = { chatSessionId, toolCallId: 'call_deploy', approve: true };
    await expect(client.call('ai/tool/answer', { ...answer, scope: 'session' })).rejects.toMatchObject({
      code: 'usage',
    });
    expect(await client.call('ai/tool/answer', answer)).toEqual({ answered: true });
    await until(() => workshop.ran() === 'staging');
  });

  it('cannot be a refusal, nor a setting that a client sends', async () => {
    await using line = await TRANSPORTS.stdio();
    const { id: sessionId } = await line.client.call('chat/session/create', {});
    const no = { chatSessionId: sessionId, toolCallId: 'x', approve: false, scope: 'session' as const };
    await expect(line.client.call('ai/tool/answer', no)).rejects.toMatchObject({ code: 'usage' });
    const settings = { approvedTools: [] };
    await expect(line.client.call('chat/session/update', { sessionId, settings })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(line.client.call('chat/session/create', { settings })).rejects.toMatchObject({
      code: 'usage',
    });
    const everywhere = line.client.call('ai/tool/revoke', { scope: 'session' });
    await expect(everywhere).rejects.toMatchObject({ code: 'usage' });
  });
});

function startTalk(client: RpcClient, chatSessionId: string) {
  const sessionId = 'after a restart';
  const said = async (content: string) => {
    await client.call('ai/session/send', {
      sessionId,
      storageSessionId: chatSessionId,
      content,
      stream: false,
    });
  };
  return {
    /** Says something, and gives what is asked then. */
    async askFor(content: string) {
      await said(content);
      return until(async () => (await client.call('ai/tool/pending', { chatSessionId })).requests[0]);
    },
    /** Says something, and waits for the answer. */
    async say(content: string) {
      await until(async () => (await answered()) !== 'none');
      const before = (await client.call('chat/session/get', { sessionId: chatSessionId })).session.messages;
      await said(content);
      await until(async () => {
        const { session } = await client.call('chat/session/get', { sessionId: chatSessionId });
        return session.messages >= before + 4;
      });
    },
  };

  async function answered(): Promise<string> {
    const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
    const last = messages.at(-1);
    return last === undefined || last.role === 'assistant' ? 'whole' : 'none';
  }
}

it('a tool of a turn that is stopped already is not waited for', async () => {
  const approvals = createApprovals({ waitMs: 60_000 });
  const request: ApprovalRequest = { toolCallId: 'c', toolName: 'deploy', input: {}, scopes: ['once'] };
  const options = { signal: AbortSignal.abort(), tell: () => undefined };
  expect(await approvals.ask('s', request, options)).toMatchObject({ approved: false });
  expect(approvals.open('s')).toEqual([]);
});
