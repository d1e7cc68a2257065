import type { SessionId } from '../../record/index.ts';

type Listener = (session?: SessionId) => void;

export interface ChangeHints {
  tell(session?: SessionId): void;
  add(listener: Listener): () => void;
  stop(): void;
}

/** Listeners are called after the writer has its answer, so a slow or failing one never stands in a write's way. */
export function createChangeHints(): ChangeHints {
  const listeners = new Map<symbol, Listener>();
  return {
    tell(session) {
      for (const [key, listener] of listeners) {
        queueMicrotask(() => listeners.has(key) && call(listener, session));
      }
    },
    add(listener) {
      const key = Symbol('listener');
      listeners.set(key, listener);
      return () => listeners.delete(key);
    },
    // One last hint: whoever waits for a change finds the store closed instead of waiting for ever.
    stop() {
      for (const listener of listeners.values()) queueMicrotask(() => call(listener));
      listeners.clear();
    },
  };
}

function call(listener: Listener, session?: SessionId): void {
  try {
    listener(session);
  } catch {
    // A hint has no caller to tell. Letting it escape would end the process in the middle of somebody else's turn.
  }
}
