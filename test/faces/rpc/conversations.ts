import type { RpcClient } from '../../../src/faces/rpc/index.ts';

/** What people say to agents, with something hard in every line. */
export function sentence(index: number): string {
  return `Message ${index}: the handler in src/part-${index}.ts listens on port ${8000 + index}, and retries ${index} times.`;
}

/** A session with so many messages, questions and answers in turn. */
export async function talk(
  client: Pick<RpcClient, 'call'>,
  count: number,
  {
    words = 1,
    ...birth
  }: { words?: number; title?: string; project?: string; provider?: string; model?: string } = {},
): Promise<{ id: string; messages: string[] }> {
  const { session } = await client.call('chat/session/create', birth);
  const messages: string[] = [];
  for (let index = 0; index < count; index++) {
    const { message } = await client.call('chat/message/add', {
      sessionId: session.id,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: Array.from({ length: words }, () => sentence(index)).join(' '),
    });
    messages.push(message.id);
  }
  return { id: session.id, messages };
}

/** A small window, and no key: the digest summarises. */
export const SMALL = { provider: 'openai', model: 'codellama' };

/** So many messages, each of this many sentences. */
export async function say(
  client: Pick<RpcClient, 'call'>,
  sessionId: string,
  count: number,
  sentences: number,
) {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const content = `${sentence(index)} `.repeat(sentences);
    ids.push((await client.call('chat/message/add', { sessionId, role, content })).message.id);
  }
  return ids;
}

/** The next time this holds, asked again after each turn of the loop. */
export async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && (found as unknown) !== false) return found;
    await new Promise((go) => setTimeout(go, 5));
  }
}
