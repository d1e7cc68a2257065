import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Entry, EntryBody } from '../../src/record/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { type FixedClock, fixedClock } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';

/** An empty store that takes its time from `clock` and is gone when the test is over. */
export interface Bench extends AsyncDisposable {
  readonly store: Store;
  readonly clock: FixedClock;
}

export interface StoreKind {
  readonly kind: string;
  open(): Promise<Bench>;
}

/** Every store that the session room is tested on. */
export const STORES: readonly StoreKind[] = [
  { kind: 'memory', open: openMemory },
  { kind: 'sqlite', open: openFile },
];

async function openMemory(): Promise<Bench> {
  const clock = fixedClock();
  const store = createMemoryStore({ now: clock.now });
  return { store, clock, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

export interface FileBench extends Bench {
  readonly file: string;
  /** The same file over another connection, as another process would have it. */
  connect(): Promise<Store>;
}

export async function openFile({
  durability = 'full',
}: {
  durability?: 'full' | 'normal';
} = {}): Promise<FileBench> {
  const clock = fixedClock();
  const folder = tempFolder();
  const file = path.join(folder.path, 'store.db');
  const stores: Store[] = [];
  async function connect(): Promise<Store> {
    const store = await openSqliteStore(file, { durability, now: clock.now });
    stores.push(store);
    return store;
  }
  return {
    store: await connect(),
    clock,
    file,
    connect,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store[Symbol.asyncDispose]();
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

/** What was said, message by message; other entries by their kind. */
export function said(entries: readonly Entry[]): string[] {
  return entries.map(({ body }) => saidIn(body));
}

function saidIn(body: EntryBody): string {
  if (body.kind === 'message') return body.parts.map((part) => String(part.text ?? part.type)).join(' ');
  if (body.kind === 'compaction' || body.kind === 'restoration') return `[${body.summary.overview}]`;
  return body.kind === 'setting' ? `${body.name}=${body.value}` : body.kind;
}
