import type { SessionId, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/**
 * The session with exactly this id; `session-not-found`, or `session-gone` if it was purged. An id is never taken for a
 * prefix, a title or a number: that is `findSession`. Only a UUID may be given in either case.
 */
export async function getSession(store: Store, id: SessionId): Promise<SessionInfo> {
  for (;;) {
    const info = await store.session(id);
    if (info) return info;
    // The store knows whether it was purged. If this does not throw, the session was created since.
    await store.read(id, { limit: 0 });
  }
}
