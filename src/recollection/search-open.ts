import type { Hit, Recall, SearchOptions } from '../recall/index.ts';
import type { Store } from '../store/index.ts';
import { createOpenCheck } from './open-entries.ts';

export type SearchOpenOptions = SearchOptions & {
  readonly limit: number;
  /** Hits that the model has in front of it. */
  readonly skip?: (hit: Hit) => boolean;
};

/** A search on behalf of a model: without what people excluded or removed where it was said. */
export async function searchOpen(
  store: Store,
  recall: Recall,
  query: string,
  { limit, skip = () => false, ...options }: SearchOpenOptions,
): Promise<Hit[]> {
  const isOpen = createOpenCheck(store);
  for (let wanted = limit; ; wanted *= 4) {
    const hits = await recall.search(query, { ...options, limit: wanted });
    const open: Hit[] = [];
    for (const hit of hits) {
      if (!skip(hit) && (await isOpen(hit.session, { id: hit.entry, seq: hit.seq }))) open.push(hit);
    }
    if (open.length >= limit || hits.length < wanted) return open.slice(0, limit);
  }
}
