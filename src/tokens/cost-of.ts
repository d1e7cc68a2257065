import type { Usage } from '../record/index.ts';
import type { ModelPrice } from './model-price.ts';

/**
 * US dollars for one call. Cached tokens are part of the input and reasoning is part of the output, so neither is paid
 * twice; where a cache price is not known, the price of plain input stands in for it.
 */
export function costOf(usage: Usage, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const input =
    plain * price.input +
    cacheReadTokens * (price.cacheRead ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input);
  return (input + outputTokens * price.output) / 1_000_000;
}
