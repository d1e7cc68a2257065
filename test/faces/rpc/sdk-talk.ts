import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import { until } from './conversations.ts';

export const SDK = { provider: 'agent-sdk', model: 'default' };

/** Sends one message and waits for its answer. */
export async function ask(
  client: RpcClient,
  chatSessionId: string,
  content: string,
  model: { provider?: string; model?: string } = {},
): Promise<string> {
  const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId, ...model });
  const { messageId } = await client.call('ai/session/send', { sessionId: aiSessionId, content });
  return answerTo(client, chatSessionId, messageId);
}

/** The answer's id, once it is stored and the turn is over. */
export function answerTo(client: RpcClient, sessionId: string, messageId: string): Promise<string> {
  return until(async () => {
    const messages = await history(client, sessionId);
    const asked = messages.findIndex(({ id }) => id === messageId);
    const answer = messages.slice(asked + 1).find(({ role }) => role === 'assistant');
    return asked < 0 ? undefined : answer?.id;
  });
}

export async function history(client: RpcClient, sessionId: string) {
  const listed = await client.call('chat/message/list', { sessionId, includeInactive: true, limit: 200 });
  return listed.messages;
}

export async function cliSessionOf(client: RpcClient, sessionId: string): Promise<string | null> {
  return (await client.call('chat/session/get', { sessionId })).session.cliSessionId;
}
