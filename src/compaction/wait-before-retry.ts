import { isThroughlineError } from '../errors.ts';

const MOMENT_MS = 1_000;
const LONGEST_MS = 10_000;

/** Failures that another try would end in too. */
const FINAL = ['model-refused', 'model-unknown', 'model-not-configured', 'context-overflow'] as const;

/** How long to wait before a summary is asked for once more; `undefined` if that is not worth it. */
export function waitBeforeRetry(error: unknown): number | undefined {
  if (!isThroughlineError(error)) return 0;
  if (FINAL.some((code) => error.code === code)) return undefined;
  const { retryAfterSeconds } = error.details;
  if (typeof retryAfterSeconds === 'number')
    return retryAfterSeconds * 1000 > LONGEST_MS ? undefined : retryAfterSeconds * 1000;
  return error.code === 'model-busy' || error.code === 'model-failed' ? MOMENT_MS : 0;
}
