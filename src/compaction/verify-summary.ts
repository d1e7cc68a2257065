import { ThroughlineError } from '../errors.ts';
import type { Entry, Summary } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { actsAsAgent, answersInstead } from './acts-as-agent.ts';
import { markUnknown, withoutInventions } from './claims/index.ts';
import { hasWords } from './has-words.ts';
import type { Summarised } from './summariser.ts';
import { withoutFillers } from './without-fillers.ts';

/** A summary that is not at least a fifth smaller than what it replaces is no progress. */
const MOST_OF_BEFORE = 0.8;

/** The most tokens that a summary may take of what it replaces. */
export function mostOfBefore(tokensBefore: number): number {
  return Math.floor(tokensBefore * MOST_OF_BEFORE);
}

/**
 * The summary without unsupported claims, or `summary-rejected` with the reason. The digest only quotes, so it is refused only
 * if it saves nothing.
 */
export function verifySummary(
  made: Summarised,
  {
    entries,
    tokensBefore,
    before,
  }: {
    entries: readonly Entry[];
    tokensBefore: number;
    /** What stands before the range: who wrote the summary knew that too. */
    before?: Summary;
  },
): Summary {
  const { by, writtenTokens = 0 } = made;
  const summary = by.kind === 'digest' ? made.summary : withoutFillers(made.summary);
  if (by.kind !== 'digest') {
    if (!hasWords(summary)) throw rejected('it is empty');
    refuseUnusable(made, entries);
    // The rest of it, once it fits, says little.
    if (writtenTokens > tokensBefore)
      throw rejected(`its ${writtenTokens} tokens are more than the ${tokensBefore} it replaces`);
  }
  const tokens = countText(renderSummary(summary));
  if (tokens > mostOfBefore(tokensBefore)) {
    throw rejected(`its ${tokens} tokens are more than 80 % of the ${tokensBefore} it replaces`);
  }
  const source = { entries, ...(before && { before }) };
  const believed = withoutInventions(summary, source);
  if (by.kind === 'digest') return believed;
  if (!hasWords(believed)) throw rejected('nothing in it is in the conversation');
  return markUnknown(believed, source);
}

/** Throws if no part of a summary may be like this: cut off, an answer instead of a record, tool calls. */
export function refuseUnusable(
  { summary, cutOff }: Pick<Summarised, 'summary' | 'cutOff'>,
  entries: readonly Entry[],
): void {
  if (cutOff) throw rejected('it was cut off before its end');
  if (answersInstead(summary)) throw rejected('it answers instead of telling what was said');
  if (actsAsAgent(summary, entries)) throw rejected('it is made of tool calls');
}

export function rejected(reason: string): ThroughlineError {
  return new ThroughlineError('summary-rejected', `The summary was not used: ${reason}.`, {
    details: { reason },
  });
}
