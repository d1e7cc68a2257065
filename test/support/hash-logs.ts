import { createHash } from 'node:crypto';
import { STORED_PLACES } from '../../src/record/index.ts';
import type { Store } from '../../src/store/index.ts';

/** Of every log in the store, by its id: what was not written to has the same before and after. */
export async function hashLogs(
  store: Store,
  places: readonly (typeof STORED_PLACES)[number][] = STORED_PLACES,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const place of places)
    for (const { id } of (await store.list({ limit: 200, place })).sessions)
      hashes[id] = createHash('sha256')
        .update(JSON.stringify(await store.read(id)))
        .digest('hex');
  return hashes;
}
