import { checkArgument, checkOptions, type OptionKinds } from '../record/index.ts';
import { createMemoryStore } from './in-memory/memory-store.ts';
import type { Store } from './store.ts';
import { storeLocation } from './store-location.ts';

export interface OpenStoreOptions {
  /** See `SqliteStoreOptions`; the memory store ignores it. */
  readonly durability?: 'full' | 'normal';
  readonly readOnly?: boolean;
}

/**
 * Opens the store at a path, creating it if need be; `memory:` keeps everything in this process. Without a location it
 * is the one the command line uses here. The database driver is loaded only when a file is opened.
 */
export async function openStore(
  location: string = storeLocation(),
  options: OpenStoreOptions = {},
): Promise<Store> {
  checkArgument(location, 'path', { call: 'openStore' });
  checkOptions(options, OPTIONS, { call: 'openStore' });
  if (location === 'memory:') return createMemoryStore();
  const { openSqliteStore } = await import('./sqlite/index.ts');
  return openSqliteStore(location, options);
}

const OPTIONS: OptionKinds<Required<OpenStoreOptions>> = { durability: 'text', readOnly: 'boolean' };
