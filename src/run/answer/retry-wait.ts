import { isThroughlineError, type ThroughlineError } from '../../errors.ts';
import type { RetryChoice } from '../turn-options.ts';

const DEFAULTS = { times: 3, firstMs: 1_000, mostMs: 60_000 };

/**
 * How long to wait before a call is tried again, or `undefined` if that is no use: the provider has to be busy or to have
 * failed, and the requested wait must not be longer than a person would wait.
 */
export function retryWait(
  error: ThroughlineError,
  { attempt, retry = {} }: { attempt: number; retry?: RetryChoice | undefined },
): number | undefined {
  const { times, firstMs, mostMs } = { ...DEFAULTS, ...retry };
  const helps = isThroughlineError(error, 'model-busy') || isThroughlineError(error, 'model-failed');
  if (!helps || attempt > times) return undefined;
  const { retryAfterSeconds } = error.details;
  if (typeof retryAfterSeconds === 'number') {
    const asked = retryAfterSeconds * 1000;
    return asked <= mostMs ? asked : undefined;
  }
  // Not all at the same moment: those who were turned away together would come back together.
  const spread = 0.75 + Math.random() / 2;
  return Math.min(mostMs, firstMs * 2 ** (attempt - 1) * spread);
}

export function retriesOf(retry: RetryChoice | undefined): number {
  return retry?.times ?? DEFAULTS.times;
}
