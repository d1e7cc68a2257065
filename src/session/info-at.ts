import { EMPTY_STATE, foldEntry, type Seq, type SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/**
 * The session as it was after entry `seq`, as far as a context depends on it: its head, marks, settings and compactions.
 * Reads only what is not a message.
 */
export async function infoAt(store: Store, info: SessionInfo, seq: Seq): Promise<SessionInfo> {
  if (seq >= info.head) return info;
  const notes = await store.read(info.id, { upTo: seq, only: 'notes' });
  const { opening } = info.state;
  const state = notes.reduce(foldEntry, EMPTY_STATE);
  return { ...info, head: seq, state: { ...state, ...(opening !== undefined && { opening }) } };
}
