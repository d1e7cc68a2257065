import { type App, createAppOperation } from '../../operations/index.ts';
import {
  type IndexProgress,
  openSearchIndex,
  type SearchIndex,
  type SearchIndexOptions,
} from '../../search/index.ts';
import { createMemoryStore, type Store } from '../../store/index.ts';

interface LibraryOptions {
  /** The store, if it exists. Called again until it does. */
  readonly find: () => Promise<Store | undefined>;
  /** Makes the store if it does not exist; absent where nothing may be written. */
  readonly make?: () => Promise<Store>;
  /** How long a search waits for the index to catch up before it answers from the indexed part. */
  readonly patienceMs?: number;
}

/** The store and its search index, for as long as a client is connected. Both are opened at their first use. */
export interface Library extends AsyncDisposable {
  /** An empty store as long as there is none. */
  store(): Promise<Store>;
  /** The store to write in; `undefined` where nothing may be written. */
  writable(): Promise<Store | undefined>;
  /** The store with its index, to read: its searches wait for the index no longer than the patience. */
  app(): Promise<App>;
}

interface Shelf {
  readonly store: Store;
  readonly index: SearchIndex;
}

const PATIENCE_MS = 20_000;

export function createLibrary({ find, make, patienceMs = PATIENCE_MS }: LibraryOptions): Library {
  const held = new AsyncDisposableStack();
  let found: Promise<Shelf | undefined> | undefined;
  let empty: Shelf | undefined;

  /** A store that was missing or could not be opened is looked for again at the next call. */
  function once(open: () => Promise<Store | undefined>): Promise<Shelf | undefined> {
    found ??= open().then(
      (store) => {
        if (store) return shelve(store);
        found = undefined;
        return undefined;
      },
      (error) => {
        found = undefined;
        throw error;
      },
    );
    return found;
  }

  /** Resources are closed in reverse order: the index before its store. */
  function shelve(store: Store, options?: SearchIndexOptions): Shelf {
    held.use(store);
    return { store, index: held.use(openSearchIndex(store, { patienceMs, ...options })) };
  }

  function nothing(): Shelf {
    empty ??= shelve(createMemoryStore(), { embedder: 'none' });
    return empty;
  }

  return {
    store: async () => (await once(find))?.store ?? createMemoryStore(),
    writable: async () => (make ? ((await once(find)) ?? (await once(make)))?.store : undefined),
    async app() {
      const { store, index } = (await once(find)) ?? nothing();
      return createAppOperation(store, { index });
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([found]);
      await held.disposeAsync();
    },
  };
}

/** A note that the index is not complete yet. */
export function sayBehind(behind: IndexProgress | null): string[] {
  if (!behind) return [];
  return [
    `(The index is still being made: ${behind.done} of ${behind.total} entries were read. What is missing here may be found in a minute.)`,
  ];
}
