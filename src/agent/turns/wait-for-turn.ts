import type { EntryId, SessionId } from '../../record/index.ts';
import { getSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { getTurn } from './read-turns.ts';
import type { TurnRecord } from './turn-record.ts';

/** A process that dies changes nothing in the log, so its lease is looked at from time to time. */
const LOOK_MS = 1_000;

/**
 * Waits until a turn is neither waiting nor running, in whichever process that happens. `closing`: this process waits no
 * longer, and the turn is reported as it stands.
 */
export async function waitForTurn(
  store: Store,
  {
    session,
    turn,
    signal,
    closing,
  }: { session: SessionId; turn: EntryId; signal?: AbortSignal; closing?: AbortSignal },
): Promise<TurnRecord> {
  for (;;) {
    const change = nextChange(store, session, [signal, closing]);
    try {
      const record = await getTurn(store, await getSession(store, session), turn);
      // A turn that waits and says why is begun by no process that runs.
      if (record.status !== 'running' && (record.status !== 'waiting' || record.error)) return record;
      if (closing?.aborted) return record;
      signal?.throwIfAborted();
      await change.promise;
    } finally {
      change.stop();
    }
  }
}

function nextChange(store: Store, session: SessionId, signals: readonly (AbortSignal | undefined)[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ring = () => resolve();
  const leave = store.onChange((changed) => {
    if (changed === undefined || changed === session) ring();
  });
  const timer = setTimeout(ring, LOOK_MS).unref();
  for (const signal of signals) signal?.addEventListener('abort', ring, { once: true });
  return {
    promise,
    stop() {
      leave();
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', ring);
    },
  };
}
