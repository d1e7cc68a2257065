import type { Place, SessionInfo } from '../record/index.ts';
import { listFitting } from '../session/index.ts';
import type { SessionQuery, Store } from '../store/index.ts';

const PAGE = 500;

export interface SessionFilter extends Omit<SessionQuery, 'limit' | 'place' | 'project'> {
  readonly place?: Place;
  /** As they were asked for; `fits` tells the sessions. */
  readonly project?: string;
  readonly find?: string;
  readonly fits?: (info: SessionInfo) => boolean;
}

export interface Listing {
  readonly sessions: AsyncIterable<SessionInfo>;
  /** Where the next list goes on, if there is more; known once `sessions` has been read. */
  readonly cursor: () => string | undefined;
}

/** Up to `limit` sessions (which may be infinite), newest first, a page at a time. */
export function listSessions(
  store: Store,
  { fits, project: _, find: __, ...filter }: SessionFilter,
  limit: number,
): Listing {
  let cursor = filter.cursor;
  async function* sessions(): AsyncGenerator<SessionInfo> {
    for (let left = limit; left > 0; ) {
      const query = { ...filter, limit: Math.min(left, PAGE), ...(cursor && { cursor }) };
      const page = await (fits ? listFitting(store, query, fits) : store.list(query));
      cursor = page.cursor;
      left -= page.sessions.length;
      yield* page.sessions;
      if (!cursor) return;
    }
  }
  return { sessions: sessions(), cursor: () => cursor };
}

/** How many sessions a filter lets through, wherever the list starts. */
export async function countSessions(store: Store, { cursor: _, ...filter }: SessionFilter): Promise<number> {
  const { place = 'active', ...narrower } = filter;
  if (Object.keys(narrower).length === 0) return (await store.count())[place];
  let count = 0;
  for await (const _session of listSessions(store, filter, Number.POSITIVE_INFINITY).sessions) count++;
  return count;
}
