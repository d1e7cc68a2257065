import { EMPTY_STATE, foldEntry, type Seq, type SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import type { Session } from './session.ts';

/**
 * The session as it was after entry `seq`, as far as a context depends on it: its head, marks, settings and compactions. Reads
 * only entries that are no messages.
 */
export async function infoAt(store: Store, info: SessionInfo, seq: Seq): Promise<SessionInfo> {
  if (seq >= info.head) return info;
  const notes = await store.read(info.id, { upTo: seq, only: 'notes' });
  const { opening } = info.state;
  const state = notes.reduce(foldEntry, EMPTY_STATE);
  return { ...info, head: seq, state: { ...state, ...(opening !== undefined && { opening }) } };
}

/** A session that is open to read, as it was after entry `seq`: reads through it end there. */
export async function sessionAt(session: Session, seq: Seq): Promise<Session> {
  const info = await infoAt(session.store, await session.refresh(), seq);
  const within = <T extends { readonly upTo?: Seq }>(range: T) => ({
    ...range,
    upTo: Math.min(range.upTo ?? info.head, info.head),
  });
  return {
    ...session,
    info,
    refresh: async () => info,
    read: (range = {}) => session.read(within(range)),
    entries: (range = {}) => session.entries(within(range)),
  };
}
