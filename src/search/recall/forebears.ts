import type { Seq, SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

interface Forebears {
  /** The session itself and those it was forked from: together they hold the log one sees in it. */
  readonly sessions: readonly SessionId[];
  /** What the eldest of them was resumed from, as long as it was then. */
  readonly resumedFrom?: { readonly session: SessionInfo; readonly upTo: Seq };
}

export async function readForebears(store: Store, info: SessionInfo): Promise<Forebears> {
  const sessions = [info.id];
  for (let { parent } = info; parent; ) {
    const session = await store.session(parent.session);
    // Purged, or its name given again to a descendant: there is nothing further up that is meant.
    if (!session || sessions.includes(session.id)) break;
    if (parent.relation === 'resume') return { sessions, resumedFrom: { session, upTo: parent.seq } };
    sessions.push(session.id);
    parent = session.parent;
  }
  return { sessions };
}
