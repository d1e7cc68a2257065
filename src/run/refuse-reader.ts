import { ThroughlineError } from '../errors.ts';
import type { Session } from '../session/index.ts';

/** Two runs in one session would run tools twice, so whoever runs a turn holds the lease. */
export function refuseReader({ id, mode }: Session): void {
  if (mode === 'write') return;
  throw new ThroughlineError(
    'usage',
    `Session "${id}" was opened in mode "${mode}". Open it to write before running a turn in it.`,
    { details: { session: id, mode } },
  );
}
