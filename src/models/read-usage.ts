import type { LanguageModelUsage } from 'ai';
import type { Usage } from '../record/index.ts';
import { costOf, type ModelPrice } from '../tokens/index.ts';

/**
 * What one call used, from what the AI SDK tells of that call. Give it the usage of a step: the one of a result with
 * many steps is their sum already. With a price, it says what the call cost.
 */
export function readUsage(usage: LanguageModelUsage, price?: ModelPrice): Usage {
  const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails } = usage;
  const reasoning = told(outputTokenDetails?.reasoningTokens);
  const cacheRead = told(inputTokenDetails?.cacheReadTokens);
  const cacheWrite = told(inputTokenDetails?.cacheWriteTokens);
  const counts: Usage = {
    inputTokens: told(inputTokens) ?? 0,
    outputTokens: told(outputTokens) ?? 0,
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
  };
  return price ? { ...counts, cost: costOf(counts, price) } : counts;
}

/** Servers of all kinds fill these in; what is no count is not told. */
function told(count: number | null | undefined): number | undefined {
  return typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : undefined;
}
