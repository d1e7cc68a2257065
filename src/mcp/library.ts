import { openRecall, type Recall } from '../recall/index.ts';
import { createMemoryStore, type Store } from '../store/index.ts';

export interface LibraryOptions {
  /** The store, if there is one yet. Asked again until there is. */
  readonly find: () => Promise<Store | undefined>;
  /** Makes the store if it is not there; absent where nothing may be written. */
  readonly make?: () => Promise<Store>;
  /** How long a search waits for the index to catch up before it goes on with what is there. */
  readonly patienceMs?: number;
}

export interface Searchable {
  readonly store: Store;
  readonly recall: Recall;
  /** How far the index has come, when it has not caught up yet. */
  readonly behind?: { readonly done: number; readonly total: number };
}

/** The store and its index, for as long as a client is there. Both are opened when they are first needed. */
export interface Library extends AsyncDisposable {
  /** An empty one as long as there is none. */
  store(): Promise<Store>;
  /** To write in; `undefined` where nothing may be written. */
  writable(): Promise<Store | undefined>;
  /** Everything that was written up to now can be found, unless that takes too long. */
  searchable(): Promise<Searchable>;
}

const PATIENCE_MS = 20_000;

export function createLibrary({ find, make, patienceMs = PATIENCE_MS }: LibraryOptions): Library {
  const closing = new AbortController();
  const held = new AsyncDisposableStack();
  let found: Promise<Store | undefined> | undefined;
  let index: Promise<Recall> | undefined;
  let catchingUp: Promise<unknown> | undefined;
  let progress = { done: 0, total: 0 };
  let empty: Promise<Searchable> | undefined;

  /** What is not there is looked for again the next time, and so is what could not be opened. */
  function once(open: () => Promise<Store | undefined>): Promise<Store | undefined> {
    found ??= open().then(
      (store) => {
        if (store) held.use(store);
        else found = undefined;
        return store;
      },
      (error) => {
        found = undefined;
        throw error;
      },
    );
    return found;
  }

  function openIndex(store: Store): Promise<Recall> {
    index ??= openRecall(store).then(
      (recall) => held.use(recall),
      (error) => {
        index = undefined;
        throw error;
      },
    );
    return index;
  }

  /** One at a time; whoever comes meanwhile waits for the same. */
  function catchUp(recall: Recall): Promise<unknown> {
    catchingUp ??= recall
      .catchUp({
        signal: closing.signal,
        onProgress(now) {
          progress = now;
        },
      })
      .finally(() => {
        catchingUp = undefined;
      });
    return catchingUp;
  }

  return {
    store: async () => (await once(find)) ?? createMemoryStore(),
    writable: async () => (make ? ((await once(find)) ?? (await once(make))) : undefined),
    async searchable() {
      const store = await once(find);
      if (!store) {
        empty ??= openEmpty(held);
        return empty;
      }
      const recall = await openIndex(store);
      const caughtUp = await within(catchUp(recall), patienceMs);
      return { store, recall, ...(!caughtUp && { behind: progress }) };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled([catchingUp, index, found]);
      await held.disposeAsync();
    },
  };
}

/** What is searched as long as there is nothing. */
async function openEmpty(held: AsyncDisposableStack): Promise<Searchable> {
  const store = held.use(createMemoryStore());
  return { store, recall: held.use(await openRecall(store, { embedder: 'none' })) };
}

/** Whether it was done in time. A failure is one only as long as somebody waits. */
async function within(work: Promise<unknown>, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
