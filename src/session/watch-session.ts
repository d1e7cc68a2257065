import type { Entry, Seq, SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';

const PAGE = 200;

/**
 * Every entry after `after`, in order and exactly once, then each new one as it comes, by whichever process. Ends when
 * `signal` aborts. To go on after a disconnect, watch again from the last seq seen.
 */
export async function* watchSession(
  store: Store,
  id: SessionId,
  { after = 0, signal }: { after?: Seq; signal?: AbortSignal } = {},
): AsyncGenerator<Entry> {
  const bell = createBell(signal);
  const stop = store.onChange((changed) => {
    if (changed === undefined || changed === id) bell.ring();
  });
  try {
    for (let cursor = after; !signal?.aborted; ) {
      bell.reset();
      const page = await store.read(id, { after: cursor, limit: PAGE });
      for (const entry of page) {
        if (signal?.aborted) return;
        yield entry;
        cursor = entry.seq;
      }
      if (page.length < PAGE) await bell.rung();
    }
  } finally {
    stop();
    bell.close();
  }
}

/** Remembers one ring: a change between the read and the wait is not missed. */
function createBell(signal?: AbortSignal) {
  let { promise, resolve } = Promise.withResolvers<void>();
  const ring = () => resolve();
  signal?.addEventListener('abort', ring);
  return {
    ring,
    reset() {
      if (!signal?.aborted) ({ promise, resolve } = Promise.withResolvers<void>());
    },
    rung: () => promise,
    close: () => signal?.removeEventListener('abort', ring),
  };
}
