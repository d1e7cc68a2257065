import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Store } from '../src/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { wordyMessageAt } from './recall-messages.ts';

const IN_A_SESSION = 500;
const START = Date.UTC(2025, 0, 1);

/** Where a large store is kept between runs, because making it takes many minutes. Delete it by hand. */
export function largeFolder(messages: number): string {
  return path.join(tmpdir(), `throughline-bench-${messages}`);
}

/** Opens the store with that many messages, making what is missing of it. */
export async function openLargeStore(messages: number): Promise<Store> {
  const folder = largeFolder(messages);
  mkdirSync(folder, { recursive: true });
  const store = await openSqliteStore(path.join(folder, 'store.db'), { durability: 'normal' });
  for (let session = 0; session < messages / IN_A_SESSION; session++) {
    const id = `session-${session}`;
    if (await store.session(id)) continue;
    const entries = Array.from({ length: IN_A_SESSION }, (_, n) => {
      const index = session * IN_A_SESSION + n;
      return { at: START + index * 1000, body: wordyMessageAt(index) };
    });
    await store.create({ id, createdAt: START + session * IN_A_SESSION * 1000 }, entries);
  }
  return store;
}
