import { isThroughlineError } from '../errors.ts';
import { type Author, addUsage, NO_USAGE, type Usage } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { SummariseOptions } from './summarise-range.ts';

/** The document under which the log keeps the cost of a summary that is not there. */
const UNUSED_SUMMARY = 'unused-summary';

/**
 * Does work that may pay for summaries. The cost stands in the compaction that comes of it; if none does, it is noted beside
 * the conversation, so that the ledger knows every call.
 */
export async function notingUnused<T>(
  session: Session,
  { onUsage, summariser }: Pick<SummariseOptions, 'onUsage' | 'summariser'>,
  work: (onUsage: (usage: Usage) => void) => Promise<T>,
): Promise<T> {
  let spent = NO_USAGE;
  try {
    return await work((usage) => {
      spent = addUsage(spent, usage);
      onUsage?.(usage);
    });
  } catch (error) {
    await noteUnused(session, { usage: spent, model: summariser?.name }, (error as Error).message);
    throw error;
  }
}

/** Notes the cost of an unused summary. */
export async function noteUnused(
  session: Session,
  { usage, model, by }: { usage?: Usage; model?: string | undefined; by?: Author },
  reason: string,
): Promise<void> {
  if (!usage || usage.inputTokens + usage.outputTokens === 0) return;
  const writer = model ?? by?.model;
  const meta = { usage, reason, ...(writer !== undefined && { model: writer }) };
  try {
    // Without content, so that it does not count as an existing document.
    await session.append([
      { kind: 'document', id: UNUSED_SUMMARY, title: 'Unused summary', content: null, meta },
    ]);
  } catch (error) {
    // Why there is no summary is what the caller has to hear.
    if (!isThroughlineError(error)) throw error;
  }
}
