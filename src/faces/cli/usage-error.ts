import { ThroughlineError } from '../../errors.ts';

/** The command was put in a way that cannot be meant; nothing was done. */
export function usageError(message: string): ThroughlineError {
  return new ThroughlineError('usage', message);
}
