import { expect, it } from 'vitest';
import type { AgentSdk, SdkRequest } from '../../src/rpc/index.ts';
import { until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

/** The agent SDK as far as it can be seen from here: it keeps the conversation, and gives it a new id each time. */
function scriptedSdk(answers: readonly string[]): AgentSdk & { readonly requests: SdkRequest[] } {
  const requests: SdkRequest[] = [];
  return {
    requests,
    async *query(request) {
      const number = requests.push(request);
      const session_id = `sdk-${number}`;
      yield { type: 'system', subtype: 'init', session_id };
      for (const text of answers[number - 1]!.split(/(?<= )/))
        yield { type: 'stream_event', session_id, event: { delta: { type: 'text_delta', text } } };
      const content = [{ type: 'text', text: answers[number - 1]! }];
      yield { type: 'assistant', session_id, message: { content } };
      yield { type: 'result', subtype: 'success', session_id, usage: { input_tokens: 7, output_tokens: 3 } };
    },
  };
}

it('continues sessions of the agent SDK by its own session id, and sends only what is new', async () => {
  const agentSdk = scriptedSdk(['Hello you.', 'Still here.']);
  await using line = await TRANSPORTS.websocket({ agentSdk });
  const { client } = line;
  const asked = { provider: 'agent-sdk', model: 'claude-sonnet-4-5-20250929' };
  const { aiSessionId, chatSessionId } = await client.call('ai/session/create', asked);
  const answered = (count: number) =>
    until(async () => {
      const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
      return messages.length === count && messages.at(-1)!.role === 'assistant' ? messages : undefined;
    });
  const fresh = await client.call('ai/session/resume', { chatSessionId });
  expect(fresh).not.toHaveProperty('resumed');
  await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hello.' });
  await answered(2);
  const resumed = await until(async () => {
    const result = await client.call('ai/session/resume', { chatSessionId });
    return result.sdkSessionId === undefined ? undefined : result;
  });
  expect(resumed).toMatchObject({
    ...asked,
    resumed: true,
    sdkSessionId: 'sdk-1',
    messagesLoaded: 0,
    compactionsApplied: 0,
    autoCompacted: false,
    contextWindow: 200_000,
  });
  await client.call('ai/session/send', { sessionId: resumed.aiSessionId, content: 'And now?' });
  const messages = await answered(4);
  expect(messages.map(({ content }) => content)).toEqual(['Hello.', 'Hello you.', 'And now?', 'Still here.']);
  expect(agentSdk.requests).toMatchObject([
    { prompt: 'Hello.', model: asked.model },
    { prompt: 'And now?', model: asked.model, resume: 'sdk-1' },
  ]);
  expect(messages[3]).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 } });
  const { session } = await client.call('chat/session/get', { sessionId: chatSessionId });
  expect(session.cliSessionId).toBe('sdk-2');
});
