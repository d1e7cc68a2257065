import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { EntryBody, NewEntry } from '../../src/record/index.ts';
import {
  type Hit,
  openRecall,
  type Recall,
  type RecallOptions,
  type SearchOptions,
} from '../../src/search/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { conversation } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';

/** A store with its index, both gone when the test is over. */
export interface Library extends AsyncDisposable {
  readonly store: Store;
  readonly recall: Recall;
  /** Adds a session, or goes on with it, and catches up. */
  write(session: string, ...bodies: readonly (EntryBody | NewEntry)[]): Promise<void>;
  /** Where the hits are that hold what is in quotes, best first: `session:seq`. */
  find(query: string, options?: SearchOptions): Promise<string[]>;
}

export async function openLibrary(options: RecallOptions = {}): Promise<Library> {
  const store = createMemoryStore();
  return libraryOf(store, await openRecall(store, options));
}

export interface FileLibrary extends Library {
  readonly folder: string;
  readonly storeFile: string;
  readonly indexFile: string;
  /** Every byte that the store and its index have on the disk. */
  bytes(): Buffer;
}

export async function openFileLibrary(options: RecallOptions = {}): Promise<FileLibrary> {
  const folder = tempFolder();
  const storeFile = folder.file('store.db');
  const indexFile = folder.file('store.index.db');
  const store = await openSqliteStore(storeFile, { durability: 'normal' });
  const library = libraryOf(store, await openRecall(store, options));
  return {
    ...library,
    folder: folder.path,
    storeFile,
    indexFile,
    bytes: () =>
      Buffer.concat(
        [storeFile, indexFile].flatMap((file) => ['', '-wal'].map((end) => readIfThere(file + end))),
      ),
    async [Symbol.asyncDispose]() {
      await library[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function libraryOf(store: Store, recall: Recall): Library {
  return {
    store,
    recall,
    async write(session, ...bodies) {
      const entries = bodies.flatMap((body) => ('body' in body ? [body] : conversation(body)));
      if (await store.session(session)) await store.append(session, entries);
      else await store.create({ id: session }, entries);
      await recall.catchUp();
    },
    find: async (query, options) =>
      (await recall.search(query, options)).filter(({ loose }) => !loose).map(placeOf),
    async [Symbol.asyncDispose]() {
      await recall[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

export function placeOf({ session, seq }: Hit): string {
  return `${session}:${seq}`;
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(path.resolve(file));
  } catch {
    return Buffer.alloc(0);
  }
}
