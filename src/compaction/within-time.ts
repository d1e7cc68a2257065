import { isThroughlineError, ThroughlineError } from '../errors.ts';

/**
 * Waits for work that gives signs of life, and at most `timeoutMs` after the last one. Work that ignores its signal must
 * not hold up its caller, so the time is kept here as well.
 */
export async function withinTime<T>(
  work: (signal: AbortSignal, alive: () => void) => Promise<T>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<T> {
  const limit = new AbortController();
  const expire = () => limit.abort(new Error(`no answer within ${timeoutMs / 1000} s`));
  let timer: NodeJS.Timeout | undefined = setTimeout(expire, timeoutMs);
  // Work that was given up may go on, and its signs must not wind up the clock again.
  const alive = () => {
    if (!either.aborted) timer?.refresh();
  };
  const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  const over = Promise.withResolvers<never>();
  const give = () => over.reject(limit.signal.aborted ? limit.signal.reason : new Error('cancelled'));
  if (either.aborted) give();
  else either.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work(either, alive), over.promise]);
  } finally {
    clearTimeout(timer);
    timer = undefined;
    either.removeEventListener('abort', give);
  }
}

/** The work, unless the signal ends the wait for it; the work itself goes on. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const over = Promise.withResolvers<never>();
  const cancelled = new ThroughlineError('cancelled', 'The caller waits for the compaction no longer.');
  if (signal.aborted) throw cancelled;
  const give = () => over.reject(cancelled);
  signal.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}

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
