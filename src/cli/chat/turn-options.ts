import { createModelSummariser } from '../../compaction/index.ts';
import type { TurnOptions } from '../../run/index.ts';
import type { Session } from '../../session/index.ts';
import type { Chat } from './chat.ts';
import type { Knowledge } from './know.ts';

/** What every turn of a chat is run with, and what its meter goes by. When it compacts is for the session to say. */
export async function turnOptions(
  { model, writer, agent, options }: Chat,
  session: Session,
  knowledge: Knowledge,
): Promise<TurnOptions> {
  const limit = options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1000 };
  return {
    model,
    ...(agent && { agent }),
    head: await knowledge.head(session.info, options.window ?? model.limits.window),
    recall: knowledge.recall,
    knowledge: knowledge.quotes,
    compaction: {
      ...(options.summarySpend !== undefined && { spendPerHour: options.summarySpend }),
      ...(writer && {
        summariser: writer.provider === 'offline' ? 'digest' : createModelSummariser(writer, limit),
      }),
    },
    ...(options.window !== undefined && { budget: { window: options.window } }),
    ...limit,
  };
}
