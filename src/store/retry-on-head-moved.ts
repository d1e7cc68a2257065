import { isThroughlineError } from '../errors.ts';

export interface RetryOptions {
  /** Decides after a failure whether another writer was the cause; by default `head-moved` says so. */
  readonly shouldRetry?: (error: unknown) => boolean | Promise<boolean>;
}

/**
 * Runs `attempt`, which reads a session, decides by what it read, and writes with the head of that read as
 * `expectedHead`. After another writer came in between, the whole attempt runs again, the decision included.
 */
export async function retryOnHeadMoved<T>(
  attempt: () => Promise<T>,
  { shouldRetry = isHeadMoved }: RetryOptions = {},
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(await shouldRetry(error))) throw error;
    }
  }
}

export function isHeadMoved(error: unknown): boolean {
  return isThroughlineError(error, 'head-moved');
}
