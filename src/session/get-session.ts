import { ThroughlineError } from '../errors.ts';
import type { SessionId, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** The session with exactly this id. An id is never taken for a prefix, a title or a number: that is `findSession`. */
export async function getSession(store: Store, id: SessionId): Promise<SessionInfo> {
  const info = await store.session(id);
  if (info) return info;
  throw new ThroughlineError('session-not-found', `No session "${String(id).slice(0, 200)}".`, {
    details: { session: id },
  });
}
