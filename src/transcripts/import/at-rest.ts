import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import type { Seq, SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

/** How a session stood at one moment. */
export interface Look {
  readonly head: Seq;
  /** Ranges that were taken back. */
  readonly removed: readonly { readonly from: Seq; readonly to: Seq }[];
}

/**
 * Does what takes several looks at a session and then a write, as if nobody else wrote meanwhile: the write expects the head
 * of the look, and whoever finds that it has moved returns `undefined`. Then all of it is done again.
 */
export async function atRest<T>(
  store: Store,
  session: SessionId,
  work: (look: Look) => Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    const { head, state } = await readInfo(store, session);
    const removed = state.removed.flatMap((target) => ('entry' in target ? [] : [target]));
    try {
      const result = await work({ head, removed });
      if (result !== undefined) return result;
    } catch (error) {
      const moved = isThroughlineError(error, 'head-moved') || isThroughlineError(error, 'entry-conflict');
      if (!moved || (await readInfo(store, session)).head === head) throw error;
    }
  }
}

export function isRemoved({ removed }: Look, seq: Seq): boolean {
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
