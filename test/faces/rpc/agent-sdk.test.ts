import { expect, it } from 'vitest';
import type { AgentSdk, RpcClient, SdkRequest } from '../../../src/faces/rpc/index.ts';
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

it('continues sessions of the agent SDK by its own session id, and sends only new messages', async () => {
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

const SDK = { provider: 'agent-sdk', model: 'default' };

/** Waits in the first question, before or after it has said its session id, until it is let go or stopped. */
function slowSdk(when: 'before its id' | 'after its id') {
  const requests: SdkRequest[] = [];
  const go = Promise.withResolvers<void>();
  const sdk: AgentSdk = {
    async *query(request) {
      const number = requests.push(request);
      const session_id = `sdk-${number}`;
      const stopped = Promise.withResolvers<void>();
      request.signal.addEventListener('abort', () => stopped.reject(request.signal.reason));
      stopped.promise.catch(() => {});
      const wait = () => (number === 1 ? Promise.race([go.promise, stopped.promise]) : undefined);
      if (when === 'before its id') await wait();
      yield { type: 'system', subtype: 'init', session_id };
      yield { type: 'stream_event', session_id, event: { delta: { type: 'text_delta', text: 'Well' } } };
      if (when === 'after its id') await wait();
      yield { type: 'result', subtype: 'success', session_id, usage: {} };
    },
  };
  return { sdk, requests, go: go.resolve };
}

const settled = (client: RpcClient, sessionId: string, count: number) =>
  until(async () => {
    const { messages } = await client.call('chat/message/list', { sessionId });
    const isOver = messages.length === count && messages.at(-1)!.role === 'assistant';
    return isOver && !(await client.call('ai/session/resume', { chatSessionId: sessionId })).running;
  });

it('goes on with the conversation of a turn that was stopped', async () => {
  const { sdk, requests } = slowSdk('after its id');
  await using line = await TRANSPORTS.stdio({ agentSdk: sdk });
  const { client } = line;
  const { aiSessionId, chatSessionId } = await client.call('ai/session/create', SDK);
  const send = (content: string) => client.call('ai/session/send', { sessionId: aiSessionId, content });
  await send('Hello.');
  const kept = () => client.call('chat/session/get', { sessionId: chatSessionId });
  await until(async () => (await kept()).session.cliSessionId === 'sdk-1');
  await client.call('ai/session/cancel', { chatSessionId });
  await settled(client, chatSessionId, 2);
  await send('And now?');
  await settled(client, chatSessionId, 4);
  expect(requests[1]).toMatchObject({ prompt: expect.stringMatching(/And now\?$/), resume: 'sdk-1' });
});

it('goes on with the conversation of the turn before, for a message that waited', async () => {
  const { sdk, requests, go } = slowSdk('before its id');
  await using line = await TRANSPORTS.stdio({ agentSdk: sdk });
  const { client } = line;
  const { aiSessionId, chatSessionId } = await client.call('ai/session/create', SDK);
  const send = (content: string) => client.call('ai/session/send', { sessionId: aiSessionId, content });
  await send('Hello.');
  expect(await send('And now?')).toMatchObject({ waiting: true });
  go();
  await settled(client, chatSessionId, 4);
  expect(requests[1]).toMatchObject({ prompt: 'And now?', resume: 'sdk-1' });
});

it('reports the open turn when it resumes', async () => {
  await using line = await TRANSPORTS.stdio({ agentSdk: scriptedSdk([]) });
  const { client, store } = line;
  const born = { id: 's', ...SDK, cliSessionId: 'sdk-1' };
  await client.call('chat/session/create', born);
  const resume = () => client.call('ai/session/resume', { chatSessionId: 's' });
  expect(await resume()).toMatchObject({ sdkSessionId: 'sdk-1', unfinished: false, waiting: 0 });
  await client.call('chat/message/add', { sessionId: 's', role: 'user', content: 'Hello?' });
  expect(await resume()).toMatchObject({ sdkSessionId: 'sdk-1', unfinished: true, waiting: 0 });
  expect((await store.session('s'))!.state.settings.cliSessionId).toBe('sdk-1');
});

it('is not run by a server that runs no agents, unless the host gave it one: the default model answers', async () => {
  await using line = await TRANSPORTS.stdio({ env: {} });
  const { client } = line;
  const { aiSessionId, chatSessionId, modelProblem } = await client.call('ai/session/create', SDK);
  // The client speaks to an RPC server already: what is missing are agents in it.
  expect(modelProblem).toMatch(/The agent SDK is not run here.* an RPC server that runs agents/);
  await expect(client.call('ai/session/resume', { chatSessionId, ...SDK })).rejects.toMatchObject({
    code: 'model-unknown',
    message: expect.stringMatching(/^The agent SDK is not run here/),
  });
  await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hello.', wait: true });
  const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
  expect(messages.map(({ model }) => model ?? null)).toEqual([null, 'offline:quotes']);
});
