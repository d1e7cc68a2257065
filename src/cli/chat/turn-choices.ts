import type { Knowledge, PrepareOptions } from '../../agent/index.ts';
import { createModelSummariser } from '../../compaction/index.ts';
import type { Chat } from './chat.ts';

/** What a chat says about every turn, and about its meter. When to compact is for the session to say. */
export function turnChoices(
  { model, writer, agent, options: { timeout, window, summarySpend } }: Chat,
  knowledge: Knowledge,
): PrepareOptions {
  const limit = timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
  return {
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
  };
}
