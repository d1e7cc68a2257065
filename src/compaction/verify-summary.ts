import { ThroughlineError } from '../errors.ts';
import type { Entry, Summary } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { actsAsAgent } from './acts-as-agent.ts';
import { withoutInventions } from './claims/index.ts';
import { hasWords } from './has-words.ts';
import type { Summarised } from './summariser.ts';

/** A summary that is not at least a fifth smaller than what it replaces is no progress. */
const MOST_OF_BEFORE = 0.8;

/**
 * The summary without what nobody said, or `summary-rejected` with the reason. The digest only quotes, so it is refused
 * only if it saves nothing.
 */
export function verifySummary(
  { summary, cutOff, by, writtenTokens = 0 }: Summarised,
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
  if (by.kind !== 'digest') {
    if (!hasWords(summary)) throw rejected('it is empty');
    if (cutOff) throw rejected('it was cut off before its end');
    // What is left of it once it fits says little of what was meant.
    if (writtenTokens > tokensBefore)
      throw rejected(`its ${writtenTokens} tokens are more than the ${tokensBefore} it replaces`);
    if (actsAsAgent(summary, entries)) throw rejected('it is made of tool calls');
  }
  const tokens = countText(renderSummary(summary));
  if (tokens > tokensBefore * MOST_OF_BEFORE) {
    throw rejected(`its ${tokens} tokens are more than 80 % of the ${tokensBefore} it replaces`);
  }
  const believed = withoutInventions(summary, { entries, ...(before && { before }) });
  if (by.kind !== 'digest' && !hasWords(believed)) throw rejected('it says only what nobody said');
  return believed;
}

function rejected(reason: string): ThroughlineError {
  return new ThroughlineError('summary-rejected', `The summary was not used: ${reason}.`, {
    details: { reason },
  });
}
