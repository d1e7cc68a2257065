import type { Prices } from './model-price.ts';

const MINUTE_MS = 60_000;

/**
 * How long a provider keeps what it has read after it was last used. On a local model, or by default, it is there until the
 * room is needed.
 */
const LIFETIMES: Readonly<Record<string, number>> = {
  anthropic: 5 * MINUTE_MS,
  openai: 10 * MINUTE_MS,
  google: 5 * MINUTE_MS,
};

const MARKED_MS = 30 * MINUTE_MS;

export function cacheLifetimeMs(model: { readonly provider: string; readonly model: string }): number {
  const { provider } = model;
  if (provider === 'openai' && keepsAtMarks(model.model)) return MARKED_MS;
  return LIFETIMES[provider] ?? Number.POSITIVE_INFINITY;
}

/** Of OpenAI, models since GPT-5.6: they keep what was read up to marks, for half an hour at the least, and ask money for it. */
export function keepsAtMarks(model: string): boolean {
  const [, major = 0, minor = 0] = (/^gpt-(\d+)(?:\.(\d+))?/i.exec(model) ?? []).map(Number);
  return major > 5 || (major === 5 && minor >= 6);
}

/** Of Anthropic, for cache writes of an hour: how long, and what it costs in prices of input. */
export const LONG_CACHE = { lifetimeMs: 60 * MINUTE_MS, write: 2 } as const;

/** Prices in proportion, for choices where they are unknown: those that most providers have. */
export const USUAL_PRICE: Required<Prices> = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
