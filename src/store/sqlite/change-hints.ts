import type { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../record/index.ts';

const POLL_MS = 100;

type Listener = (session?: SessionId) => void;

/** Tells listeners of this process's own writes at once, and of other processes' within a tenth of a second. */
export function createChangeHints(db: DatabaseSync) {
  const dataVersion = db.prepare('pragma data_version');
  const version = () => dataVersion.get()!.data_version as number;
  const listeners = new Set<Listener>();
  let seen = version();
  let timer: NodeJS.Timeout | undefined;

  function tell(session?: SessionId): void {
    if (listeners.size === 0) return;
    queueMicrotask(() => {
      for (const listener of listeners) call(listener, session);
    });
  }

  /** `data_version` changes only when another connection has committed: one cheap read, no table touched. */
  function poll(): void {
    try {
      const now = version();
      if (now === seen) return;
      seen = now;
    } catch {
      // An error in a timer cannot be caught. If the file cannot be asked now, listeners had better look themselves.
    }
    tell();
  }

  return {
    tell,
    add(listener: Listener): () => void {
      listeners.add(listener);
      // A listener waits for something, so the process stays while there is one.
      timer ??= setInterval(poll, POLL_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    stop,
  };

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }
}

/** A hint that its listener cannot take is dropped: the write it tells of has happened, and must not look failed. */
function call(listener: Listener, session?: SessionId): void {
  try {
    listener(session);
  } catch {}
}
