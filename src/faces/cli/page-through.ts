import { type App, perform, type SessionRecord } from '../../operations/index.ts';
import { listSessionsOperation, showOverview } from '../../operations/session/index.ts';
import type { Place } from '../../record/index.ts';

/** The most that the operation gives at once. */
const PAGE = 200;

export interface SessionFilter {
  readonly place: Place;
  readonly project?: string;
  readonly find?: string;
  readonly tag?: string;
  readonly agent?: string;
  readonly cursor?: string;
  /** Without sessions in which nothing was said. */
  readonly spoken?: boolean;
}

export interface Listing {
  readonly pages: AsyncIterable<{ readonly sessions: SessionRecord[]; readonly cursor: string | null }>;
  /** Where the next list goes on, if there is more; known once `pages` has been read. */
  readonly cursor: () => string | undefined;
}

/** Up to `limit` sessions (which may be infinite), newest first, a page at a time. */
export function pageThrough(app: App, filter: SessionFilter, limit: number): Listing {
  let cursor = filter.cursor;
  async function* pages() {
    for (let left = limit; left > 0; ) {
      const query = { ...filter, limit: Math.min(left, PAGE), ...(cursor && { cursor }) };
      const page = await perform(listSessionsOperation, query, app);
      cursor = page.cursor ?? undefined;
      left -= page.sessions.length;
      yield page;
      if (!cursor) return;
    }
  }
  return { pages: pages(), cursor: () => cursor };
}

/** The number of sessions in each place. */
export async function countPlaces(app: App): Promise<Readonly<Record<Place, number>>> {
  return (await perform(showOverview, { newest: 0 }, app)).counts;
}

/** The number of sessions that a filter lets through, wherever the list starts. */
export async function countSessions(app: App, { cursor: _, ...filter }: SessionFilter): Promise<number> {
  const { place, spoken: _spoken, ...narrower } = filter;
  if (Object.keys(narrower).length === 0) return (await countPlaces(app))[place];
  let count = 0;
  for await (const { sessions } of pageThrough(app, filter, Number.POSITIVE_INFINITY).pages)
    count += sessions.length;
  return count;
}
