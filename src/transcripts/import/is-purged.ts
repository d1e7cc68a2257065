import { isThroughlineError } from '../../errors.ts';
import { canonicalSessionId, type SessionId } from '../../record/index.ts';

/** True if it is this session that was purged, and not the parent that it names. */
export function isPurged(error: unknown, id: SessionId): boolean {
  return (
    isThroughlineError(error, 'session-gone') &&
    canonicalSessionId(String(error.details.session)) === canonicalSessionId(id)
  );
}
