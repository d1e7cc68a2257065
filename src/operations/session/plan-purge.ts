import { ThroughlineError } from '../../errors.ts';
import type { SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

/**
 * The order in which sessions can be purged: forks before the sessions they share entries with. Refuses the whole batch
 * if one of them cannot go, because the ones purged before it would be gone.
 */
export async function planPurge(store: Store, sessions: readonly SessionInfo[]): Promise<SessionInfo[]> {
  const going = new Map(sessions.map((session) => [session.id, session]));
  for (const session of sessions) {
    if (session.state.trashedAt === undefined) throw notTrashed(session);
    const staying = await forksOf(store, session.id, (fork) => !going.has(fork));
    if (staying.length > 0) throw hasForks(session, staying);
  }
  const depth = ({ parent }: SessionInfo): number => {
    const shared = parent?.relation === 'fork' ? going.get(parent.session) : undefined;
    return shared ? 1 + depth(shared) : 0;
  };
  return [...sessions].sort((a, b) => depth(b) - depth(a));
}

/** Number of the session's own entries: those that it shares with its parent stay there. */
export function ownEntries({ head, parent }: SessionInfo): number {
  return head - (parent?.relation === 'fork' ? parent.seq : 0);
}

async function forksOf(
  store: Store,
  parent: SessionId,
  wanted: (id: SessionId) => boolean,
): Promise<SessionId[]> {
  const forks: SessionId[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ parent, limit: 500, ...(cursor && { cursor }) });
    for (const child of page.sessions)
      if (child.parent?.relation === 'fork' && wanted(child.id)) forks.push(child.id);
    cursor = page.cursor;
    if (!cursor) return forks;
  }
}

function notTrashed({ id }: SessionInfo): ThroughlineError {
  return new ThroughlineError(
    'session-not-trashed',
    `Nothing was purged: session "${id}" is not in the trash, and purging cannot be undone. Put it there first.`,
    { details: { session: id } },
  );
}

function hasForks({ id }: SessionInfo, forks: readonly SessionId[]): ThroughlineError {
  const [share, those] = forks.length === 1 ? ['shares', 'that one'] : ['share', 'those'];
  return new ThroughlineError(
    'session-has-forks',
    `Nothing was purged: ${forks.join(', ')} ${share} the entries of session "${id}". Purge ${those} first, or together with it.`,
    { details: { session: id, forks } },
  );
}
