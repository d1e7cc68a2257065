import { type OpenAgent, openAgent } from '../../agent/index.ts';
import { createModelSummariser } from '../../compaction/index.ts';
import { type Chat, sessionOf } from './chat.ts';

/**
 * The agent that runs the turns of the chat's session and shows its context. Opened with the first of them, and anew when
 * the chat goes on in another session: its model and its agent module may be others. When to compact is the session's to say.
 */
export async function agentOf(chat: Chat): Promise<OpenAgent> {
  const session = sessionOf(chat);
  const { open, knowledge, model, writer, agent } = chat;
  if (open?.session === session) return open;
  const { timeout, window, summarySpend } = chat.options;
  const limit = timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
  chat.open = await openAgent(session, {
    knowledge,
    model,
    agent: agent ?? false,
    window,
    compaction: {
      ...(summarySpend !== undefined && { spendPerHour: summarySpend }),
      ...(writer && {
        summariser: writer.provider === 'offline' ? 'digest' : createModelSummariser(writer, limit),
      }),
    },
    ...limit,
  });
  return chat.open;
}
