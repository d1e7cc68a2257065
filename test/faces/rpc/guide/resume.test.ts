import { describe, expect, it } from 'vitest';
import type { AgentSdk, SdkRequest } from '../../../../src/faces/rpc/index.ts';
import { modelLimits } from '../../../../src/tokens/index.ts';
import { sentence, talk, until } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

// What the client guide says about `ai/session/resume`, sentence by sentence.
describe.each(DRIVERS)('resuming over %s', (_, open) => {
  it('gives every field, and each is true', async () => {
    await using port = await open();
    const { client } = port;
    const { id: chatSessionId } = await talk(client, 44, { words: 5, model: 'claude-sonnet-4-5-20250929' });
    await client.call('ai/context/compact', { chatSessionId });
    const resumed = await client.call('ai/session/resume', { chatSessionId });
    const meter = await client.call('chat/context/meter', { sessionId: chatSessionId });
    expect(resumed).toEqual({
      aiSessionId: expect.stringMatching(/^ai-/),
      chatSessionId,
      provider: 'anthropic',
      model: 'claude-sonnet-4-5-20250929',
      contextTokens: meter.tokens,
      contextWindow: modelLimits('claude-sonnet-4-5-20250929').window,
      modelProblem: expect.stringContaining('Anthropic needs a key'),
      answeredBy: 'offline:quotes',
      messagesLoaded: 10,
      compactionsApplied: 1,
      autoCompacted: false,
      unfinished: false,
      waiting: 0,
      running: false,
    });
  });

  it('requires `chatSessionId`, and takes no other kind of value for what it takes', async () => {
    await using port = await open();
    const resume = (params: object) => port.client.call('ai/session/resume', params as never);
    for (const params of [{}, { chatSessionId: 7 }, { chatSessionId: 'x', provider: 7 }, { session: 'x' }])
      await expect(resume(params)).rejects.toMatchObject({ rpcCode: -32602, code: 'usage' });
    await expect(resume({ chatSessionId: 'sess-abc-123' })).rejects.toMatchObject({
      rpcCode: -32000,
      code: 'session-not-found',
    });
  });

  it('makes a new AI session each time, for `ai/session/send`', async () => {
    await using port = await open();
    const { client } = port;
    const { id: chatSessionId } = await talk(client, 2);
    const first = await client.call('ai/session/resume', { chatSessionId });
    const second = await client.call('ai/session/resume', { chatSessionId });
    expect(second.aiSessionId).not.toBe(first.aiSessionId);
    for (const { aiSessionId } of [first, second]) {
      const sent = await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Go on.' });
      expect(sent).toMatchObject({ stored: true, chatSessionId });
    }
  });

  it("overrides the session's provider and model, and uses the stored ones without", async () => {
    await using port = await open();
    const { client } = port;
    const { session } = await client.call('chat/session/create', { provider: 'openai', model: 'gpt-5' });
    const resume = async (asked: { provider?: string; model?: string }) => {
      const params = { chatSessionId: session.id, ...asked };
      const { provider, model, contextWindow } = await client.call('ai/session/resume', params);
      if (provider !== 'ollama') expect(contextWindow).toBe(modelLimits(`${provider}:${model}`).window);
      return `${provider}:${model}`;
    };
    expect(await resume({})).toBe('openai:gpt-5');
    expect(await resume({ provider: 'claude', model: 'claude-opus-4-5' })).toBe('anthropic:claude-opus-4-5');
    expect(await resume({ model: 'gpt-5-mini' })).toBe('openai:gpt-5-mini');
    expect(await resume({ model: 'gemini-2.5-pro' })).toBe('google:gemini-2.5-pro');
    expect(await resume({ provider: 'gemini', model: 'gemini-2.5-flash' })).toBe('google:gemini-2.5-flash');
    expect(await resume({ provider: 'ollama', model: 'llama3.1' })).toBe('ollama:llama3.1');
    expect(await resume({})).toBe('openai:gpt-5');
    await expect(resume({ provider: 'nobody' })).rejects.toMatchObject({ code: 'model-unknown' });
  });

  it("lets agent-SDK sessions go on by the SDK's own session id, and returns without rebuilding", async () => {
    const requests: SdkRequest[] = [];
    const agentSdk: AgentSdk = {
      async *query(request) {
        requests.push(request);
        yield { type: 'system', subtype: 'init', session_id: 'sdk-session-id' };
        yield { type: 'result', subtype: 'success', session_id: 'sdk-session-id', result: 'Yes.' };
      },
    };
    await using port = await open({ agentSdk });
    const { client } = port;
    const asked = { provider: 'agent-sdk', model: 'claude-sonnet-4-5-20250929' };
    const { session } = await client.call('chat/session/create', {
      ...asked,
      cliSessionId: 'sdk-session-id',
    });
    const chatSessionId = session.id;
    // Far over its window: the SDK manages its own context.
    const text = `${sentence(0)} `.repeat(2000);
    const parts = [{ type: 'text', text }];
    const turn = (['user', 'assistant'] as const).map((role) => ({
      body: { kind: 'message' as const, role, parts },
    }));
    await port.store.append(chatSessionId, Array.from({ length: 10 }, () => turn).flat());
    const resumed = await client.call('ai/session/resume', { chatSessionId });
    expect(resumed).toEqual({
      aiSessionId: expect.stringMatching(/^ai-/),
      chatSessionId,
      ...asked,
      contextTokens: 200_000,
      contextWindow: 200_000,
      messagesLoaded: 0,
      compactionsApplied: 0,
      autoCompacted: false,
      resumed: true,
      sdkSessionId: 'sdk-session-id',
      unfinished: false,
      waiting: 0,
      running: false,
    });
    expect(await client.call('chat/compaction/list', { sessionId: chatSessionId })).toEqual([]);
    await client.call('ai/session/send', { sessionId: resumed.aiSessionId, content: 'And now?' });
    await until(() => requests.length > 0);
    expect(requests).toMatchObject([{ prompt: 'And now?', resume: 'sdk-session-id', model: asked.model }]);
  });

  it('says `resumed` and `sdkSessionId` of no other session', async () => {
    await using port = await open({ agentSdk: { query: () => ReadableStream.from([]) } });
    for (const provider of ['agent-sdk', 'claude', 'openai', 'gemini', 'ollama']) {
      const model = provider === 'ollama' ? { model: 'llama3.1' } : {};
      const { session } = await port.client.call('chat/session/create', { provider, ...model });
      const resumed = await port.client.call('ai/session/resume', { chatSessionId: session.id });
      expect(resumed).not.toHaveProperty('resumed');
      expect(resumed).not.toHaveProperty('sdkSessionId');
    }
  });
});
