import { describe, expect, it } from 'vitest';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import { sentence } from './conversations.ts';
import { createRecordingSdk } from './recording-sdk.ts';
import { ask, cliSessionOf, history, SDK } from './sdk-talk.ts';
import { TRANSPORTS } from './transports.ts';

async function begin(client: RpcClient): Promise<string> {
  return (await client.call('chat/session/create', SDK)).session.id;
}

describe('a server that cannot run the agent SDK', () => {
  const cases = [
    { why: 'it runs no agents', options: { agents: false } },
    { why: 'the package is not installed', options: { agents: true } },
  ];

  it.each(cases)('goes on with the default model and names the package, because $why', async (row) => {
    await using line = await TRANSPORTS.stdio({ ...row.options, env: {} });
    const { client } = line;
    for (const kept of [{}, { cliSessionId: 'sdk-1' }]) {
      const { session } = await client.call('chat/session/create', { ...SDK, ...kept });
      const chatSessionId = session.id;
      const modelProblem = expect.stringContaining('@anthropic-ai/claude-agent-sdk');
      const meter = await client.call('chat/context/meter', { sessionId: chatSessionId });
      expect(meter).toMatchObject({ model: 'offline:quotes', modelProblem });
      const resumed = await client.call('ai/session/resume', { chatSessionId });
      expect(resumed).toMatchObject({ modelProblem });
      await client.call('ai/session/send', { sessionId: resumed.aiSessionId, content: 'Hello?', wait: true });
      expect(await history(client, chatSessionId)).toHaveLength(2);
    }
  });

  it.each(cases)('refuses the SDK where a call names it, because $why', async (row) => {
    await using line = await TRANSPORTS.stdio({ ...row.options, env: {} });
    const { client } = line;
    const { session } = await client.call('chat/session/create', {});
    const asked = { chatSessionId: session.id, ...SDK };
    await expect(client.call('ai/session/resume', asked)).rejects.toMatchObject({ code: 'model-unknown' });
  });
});

describe('compacting a session that the agent SDK keeps', () => {
  async function longSession(client: RpcClient): Promise<string> {
    const sessionId = await begin(client);
    for (let index = 0; index < 24; index++) {
      const role = index % 2 === 0 ? 'user' : 'assistant';
      await client.call('chat/message/add', { sessionId, role, content: sentence(index) });
    }
    return sessionId;
  }

  it('says that the SDK session does not get shorter, before and after', async () => {
    const agentSdk = createRecordingSdk();
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const chatSessionId = await longSession(client);
    const asked = { chatSessionId, keepRecentCount: 4 };
    // Nothing is in the SDK yet, so the summary is all that it will be told.
    expect(await client.call('ai/context/preview', asked)).not.toHaveProperty('notice');
    await ask(client, chatSessionId, 'Hello?');
    const notice = expect.stringContaining('which this does not shorten');
    expect(await client.call('ai/context/preview', asked)).toMatchObject({ notice });
    expect(await client.call('ai/context/compact', asked)).toMatchObject({ notice });
    await ask(client, chatSessionId, 'And now?');
    expect(agentSdk.requests[1]).toMatchObject({ prompt: 'And now?', resume: 'sdk-1' });
  });

  it('begins a new SDK session from the summary if that is asked for', async () => {
    const agentSdk = createRecordingSdk();
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const chatSessionId = await longSession(client);
    await ask(client, chatSessionId, 'Hello?');
    const asked = { chatSessionId, keepRecentCount: 4, newSdkSession: true };
    expect(await client.call('ai/context/compact', asked)).not.toHaveProperty('notice');
    await ask(client, chatSessionId, 'And now?');
    const { prompt, ...options } = agentSdk.requests[1]!;
    expect(options).not.toHaveProperty('resume');
    // The summary may keep sentences of a message; as turns only the recent messages are there.
    expect(prompt.match(/^(?:user|assistant): .*$/gm)).toEqual([
      expect.stringMatching(/^user: \[Record \S+ of entries /),
      `user: ${sentence(22)}`,
      `assistant: ${sentence(23)}`,
      'user: Hello?',
      'assistant: Answer 1.',
    ]);
    expect(prompt).toContain('\n## Conversation Summary\n');
    expect(prompt).toContain(`\nGoal: ${sentence(0)}\n`);
    expect(await cliSessionOf(client, chatSessionId)).toBe('sdk-2');
  });

  it('says so too when another model is resumed and the log is compacted for it', async () => {
    const agentSdk = createRecordingSdk();
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const sessionId = await begin(client);
    await ask(client, sessionId, 'Hello?');
    for (let index = 0; index < 20; index++) {
      const role = index % 2 === 0 ? 'user' : 'assistant';
      const content = `${sentence(index)} `.repeat(60);
      await client.call('chat/message/add', { sessionId, role, content });
    }
    const small = { chatSessionId: sessionId, provider: 'openai', model: 'codellama' };
    expect(await client.call('ai/session/resume', small)).toMatchObject({
      autoCompacted: true,
      notice: expect.stringContaining('which this does not shorten'),
    });
  });
});
