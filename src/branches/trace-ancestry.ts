import type { Seq, SessionId, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** A session that another one came from, and the last entry of it that still belongs to the other one's story. */
export interface Forebear {
  readonly info: SessionInfo;
  readonly upTo: Seq;
}

/** A session and the ones it came from, youngest first, as far as they still exist. */
export async function traceAncestry(
  store: Store,
  info: SessionInfo,
  upTo: Seq = info.head,
): Promise<Forebear[]> {
  const ancestry: Forebear[] = [{ info, upTo }];
  // Older versions gave the id of a purged session again, even to a descendant, so the way up can lead in a circle.
  const passed = new Set([info.id]);
  for (let { parent } = info, limit = upTo; parent && !passed.has(parent.session); ) {
    const next = await store.session(parent.session);
    if (!next) break;
    passed.add(next.id);
    // A fork counts on where its parent was; a resumed session starts at 1 again.
    limit = parent.relation === 'fork' ? Math.min(limit, parent.seq) : parent.seq;
    ancestry.push({ info: next, upTo: limit });
    parent = next.parent;
  }
  return ancestry;
}

/** A moment in the log of a session. */
export interface Moment {
  readonly session: SessionId;
  readonly seq: Seq;
}

/** A stretch of one log: the entries added there, strictly after `after`. */
export interface Leg {
  readonly info: SessionInfo;
  readonly after: Seq;
  readonly upTo: Seq;
}

/**
 * The way from a moment in an ancestry to its youngest session, oldest leg first. Forks share a log and make one leg;
 * where a session was resumed a new log begins.
 */
export function legsSince(ancestry: readonly Forebear[], { session, seq }: Moment): Leg[] {
  const legs: Leg[] = [];
  let view = ancestry[0]!;
  for (const [index, { info }] of ancestry.entries()) {
    if (info.id === session) {
      legs.unshift({ ...view, after: seq });
      return legs.filter(({ after, upTo }) => after < upTo);
    }
    if (info.parent?.relation !== 'resume') continue;
    legs.unshift({ ...view, after: 0 });
    view = ancestry[index + 1]!;
  }
  throw new Error(`bug: session "${session}" is not in the ancestry`);
}
