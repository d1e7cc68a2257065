import { rmSync } from 'node:fs';
import type { SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { toIndexError } from './index/index-error.ts';
import { indexFilesBeside } from './index/index-file-of.ts';

export interface ForgetOptions {
  /** How long to wait while other processes use an index. */
  readonly patienceMs?: number;
  /** In a large index it takes a minute or two. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Removes every trace of sessions from all search indexes that lie beside the store, whatever they were made with. For
 * use after a purge; `catchUp` does the same for the index it is called on. One that cannot be cleaned is deleted: it is
 * made again when it is needed.
 */
export async function forgetInIndexes(
  store: Store,
  sessions: readonly SessionId[],
  { patienceMs = 30_000, onProgress }: ForgetOptions = {},
): Promise<void> {
  const { indexes, damaged } = indexFilesBeside(store);
  for (const file of damaged) rmSync(file, { force: true });
  if (indexes.length === 0) return;
  const { cleanIndex } = await import('./index/clean-index.ts');
  for (const file of indexes) {
    await cleanIndex(file, sessions, { patienceMs, onProgress }).catch((error: unknown) => {
      throw toIndexError(error, file);
    });
  }
}
