import { ThroughlineError } from '../errors.ts';
import type { EntryId, SessionId } from '../record/index.ts';

export function entryGone(session: SessionId, entry: EntryId): ThroughlineError {
  return new ThroughlineError(
    'entry-not-found',
    `Entry ${entry} is not one of session "${session}" itself. Nothing was written.`,
    { details: { session, entry } },
  );
}
