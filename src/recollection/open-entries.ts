import { isHidden, type Markable, type SessionId, type SessionState } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** True for entries that the marks of their session hide from no model. Each session is read once. */
export function createOpenCheck(store: Store): (session: SessionId, entry: Markable) => Promise<boolean> {
  const states = new Map<SessionId, SessionState | undefined>();
  return async (session, entry) => {
    if (!states.has(session)) states.set(session, (await store.session(session))?.state);
    const state = states.get(session);
    return state !== undefined && !isHidden(state, entry);
  };
}
