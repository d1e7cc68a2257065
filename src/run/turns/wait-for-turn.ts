import type { EntryId, SessionId } from '../../record/index.ts';
import { getSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { getTurn } from './read-turns.ts';
import type { TurnRecord } from './turn-record.ts';

/** A process that dies changes nothing in the log, so its lease is looked at from time to time. */
const LOOK_MS = 1_000;

/** Waits until a turn is neither waiting nor running, in whichever process that happens. */
export async function waitForTurn(
  store: Store,
  { session, turn, signal }: { session: SessionId; turn: EntryId; signal?: AbortSignal },
): Promise<TurnRecord> {
  for (;;) {
    const change = nextChange(store, session, signal);
    try {
      const record = await getTurn(store, await getSession(store, session), turn);
      // A turn that waits and says why is begun by no process that runs.
      if (record.status !== 'running' && (record.status !== 'waiting' || record.error)) return record;
      signal?.throwIfAborted();
      await change.promise;
    } finally {
      change.stop();
    }
  }
}

function nextChange(store: Store, session: SessionId, signal: AbortSignal | undefined) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ring = () => resolve();
  const leave = store.onChange((changed) => {
    if (changed === undefined || changed === session) ring();
  });
  const timer = setTimeout(ring, LOOK_MS).unref();
  signal?.addEventListener('abort', ring, { once: true });
  return {
    promise,
    stop() {
      leave();
      clearTimeout(timer);
      signal?.removeEventListener('abort', ring);
    },
  };
}
