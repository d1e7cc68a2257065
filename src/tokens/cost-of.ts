import type { Usage } from '../record/index.ts';
import { type ModelPrice, pricesAt } from './model-price.ts';

/**
 * US dollars for one call. Cached tokens are part of the input and reasoning is part of the output, so neither is paid
 * twice; where a cache price is not known, the price of plain input stands in for it.
 */
export function costOf(usage: Usage, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const prices = pricesAt(price, inputTokens);
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const input =
    plain * prices.input +
    cacheReadTokens * (prices.cacheRead ?? prices.input) +
    cacheWriteTokens * (prices.cacheWrite ?? prices.input);
  return (input + outputTokens * prices.output) / 1_000_000;
}
