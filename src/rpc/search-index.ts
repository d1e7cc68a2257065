import { openRecall, type Recall } from '../recall/index.ts';
import type { Store } from '../store/index.ts';

/** The search index, for as long as the server runs. Opened when somebody first searches. */
export interface SearchIndex extends AsyncDisposable {
  open(): Promise<Recall>;
  /** Everything that was written up to now can be found, unless that takes too long: then `behind` says how far it is. */
  current(): Promise<{ recall: Recall; behind: { done: number; total: number } | null }>;
}

const PATIENCE_MS = 10_000;

export function createSearchIndex(
  store: Store,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): SearchIndex {
  const closing = new AbortController();
  let opened: Promise<Recall> | undefined;
  let running: Promise<unknown> | undefined;
  let next: Promise<unknown> | undefined;
  let progress = { done: 0, total: 0 };

  function open(): Promise<Recall> {
    opened ??= openRecall(lettingOthers(store)).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  function start(recall: Recall): Promise<unknown> {
    const onProgress = (now: typeof progress) => {
      progress = now;
    };
    running = recall.catchUp({ signal: closing.signal, onProgress }).finally(() => {
      running = undefined;
    });
    return running;
  }

  /** What was written since the running one began may be missed by it, so whoever comes now waits for the next. */
  function catchUp(recall: Recall): Promise<unknown> {
    if (!running) return start(recall);
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start(recall);
      });
    return next;
  }

  return {
    open,
    async current() {
      const recall = await open();
      const work = catchUp(recall).then(() => true);
      work.catch(() => {});
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(resolve, patienceMs, false);
      });
      try {
        return { recall, behind: (await Promise.race([work, late])) ? null : progress };
      } finally {
        clearTimeout(timer);
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled([running, next]);
      const recall = await opened?.catch(() => undefined);
      await recall?.[Symbol.asyncDispose]();
    },
  };
}

/** A store in a file answers without waiting for anything: between two pages of it, whoever else has something to do may. */
function lettingOthers(store: Store): Store {
  return {
    ...store,
    async read(...asked) {
      await new Promise((go) => setImmediate(go));
      return store.read(...asked);
    },
  };
}
