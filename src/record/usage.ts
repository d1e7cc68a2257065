import { z } from 'zod';

const count = z.number().min(0);

/** What one model call used, as the provider reported it for that call alone (never a running total). */
export const Usage = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  reasoningTokens: count.optional(),
  cacheReadTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  /** In US dollars, if known when it was written. */
  cost: count.optional(),
});
export type Usage = z.infer<typeof Usage>;

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
  for (const key of ['reasoningTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cost'] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  return sum;
}
