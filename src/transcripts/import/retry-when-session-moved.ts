import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import type { Seq, SessionId, SessionInfo } from '../../record/index.ts';
import { isHeadMoved, retryOnHeadMoved, type Store } from '../../store/index.ts';

/** How a session stood at one moment. */
export interface ImportLook {
  readonly head: Seq;
  /** Ranges that were taken back. */
  readonly removed: readonly { readonly from: Seq; readonly to: Seq }[];
}

/**
 * Runs work that reads a session several times and then writes, as if there were no other writer: the write expects the
 * head of the look. Work that returns `undefined` has changed the session, or found it changed, and runs again.
 */
export async function retryWhenSessionMoved<T>(
  store: Store,
  session: SessionId,
  work: (look: ImportLook) => Promise<T | undefined>,
): Promise<T> {
  let head: Seq = 0;
  const result = await retryOnHeadMoved(
    async () => {
      const { state, ...info } = await readInfo(store, session);
      head = info.head;
      const removed = state.removed.flatMap((target) => ('entry' in target ? [] : [target]));
      return work({ head, removed });
    },
    {
      async shouldRetry(error) {
        const moved = isHeadMoved(error) || isThroughlineError(error, 'entry-conflict');
        return moved && (await readInfo(store, session)).head !== head;
      },
    },
  );
  return result ?? retryWhenSessionMoved(store, session, work);
}

export function isRemoved({ removed }: ImportLook, seq: Seq): boolean {
  return removed.some(({ from, to }) => seq >= from && seq <= to);
}

async function readInfo(store: Store, session: SessionId): Promise<SessionInfo> {
  const info = await store.session(session);
  if (info) return info;
  throw new ThroughlineError(
    'session-not-found',
    `Session "${session}" was purged while the file was imported. Import it again to have it back.`,
    { details: { session } },
  );
}
