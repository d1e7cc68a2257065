import { ThroughlineError } from '../errors.ts';
import type { Store } from '../store/index.ts';
import { openRecall } from './open-recall.ts';
import type { CatchUpOptions, CatchUpReport, Recall, RecallOptions } from './recall.ts';

/** The search index of a store, for as long as a program searches it. The file is opened at the first use. */
export interface SearchIndex extends AsyncDisposable {
  /** The index as it is. An opening that failed is tried again by the next call. */
  open(): Promise<Recall>;
  /** The index with every entry that was written before this call, or as far as it came within the patience. */
  current(): Promise<CurrentIndex>;
}

interface CurrentIndex {
  readonly recall: Recall;
  /** Progress of a catch-up that outlasted the patience; it continues in the background. */
  readonly behind: IndexProgress | null;
  /** Report of the catch-up, if it ended in time. */
  readonly report?: CatchUpReport;
}

/** Counts entries. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

export interface SearchIndexOptions
  extends Pick<RecallOptions, 'embedder' | 'onEmbedderFailure'>,
    Pick<CatchUpOptions, 'onProgress'> {
  /** How long `current` waits for the catch-up; 10 seconds unless given, `Infinity` for as long as it takes. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 10_000;
const CLOSED = 'The search index is closed. Open it again.';

/** Catch-ups of one index run one at a time. Closing ends a running one after its current batch. */
export function openSearchIndex(
  store: Store,
  { patienceMs = PATIENCE_MS, onProgress, ...options }: SearchIndexOptions = {},
): SearchIndex {
  const closing = new AbortController();
  let opened: Promise<Recall> | undefined;
  let running: Promise<CatchUpReport> | undefined;
  let next: Promise<CatchUpReport> | undefined;
  let progress: IndexProgress = { done: 0, total: 0 };

  async function open(): Promise<Recall> {
    if (closing.signal.aborted) throw new ThroughlineError('store-closed', CLOSED);
    opened ??= openRecall(store, options).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  function start(recall: Recall): Promise<CatchUpReport> {
    progress = { done: 0, total: 0 };
    running = recall
      .catchUp({
        signal: closing.signal,
        onProgress(now) {
          progress = now;
          onProgress?.(now);
        },
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  /** A running catch-up may miss entries that were written after it began; later callers share the one after it. */
  function catchUp(recall: Recall): Promise<CatchUpReport> {
    if (next) return next;
    if (!running) return start(recall);
    next = running
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
      const report = await within(catchUp(recall), patienceMs);
      return report ? { recall, behind: null, report } : { recall, behind: progress };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled([running, next]);
      const recall = await opened?.catch(() => undefined);
      await recall?.[Symbol.asyncDispose]();
    },
  };
}

/** The result of the work, or `undefined` if it takes longer. A failure after that is met again by the next caller. */
async function within<T>(work: Promise<T>, patienceMs: number): Promise<T | undefined> {
  if (patienceMs === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
