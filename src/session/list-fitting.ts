import type { SessionInfo } from '../record/index.ts';
import type { SessionPage, SessionQuery, Store } from '../store/index.ts';

/** Read at once, as not everything that is read is shown. */
const PAGE = 200;

/** A page of those sessions that fit, as long as it can be, however few of them do. */
export async function listFitting(
  store: Store,
  query: SessionQuery,
  fits: (info: SessionInfo) => boolean | Promise<boolean>,
): Promise<SessionPage> {
  const sessions: SessionInfo[] = [];
  for (let { cursor } = query; ; ) {
    const from = cursor === undefined ? {} : { cursor };
    const page = await store.list({ ...query, ...from, limit: PAGE });
    for (const [index, info] of page.sessions.entries()) {
      if (!(await fits(info))) continue;
      sessions.push(info);
      if (sessions.length < query.limit) continue;
      // The cursor of a page is at its end, so that is where this one has to end.
      const { cursor: here } = await store.list({ ...query, ...from, limit: index + 1 });
      return { sessions, ...(here !== undefined && { cursor: here }) };
    }
    cursor = page.cursor;
    if (cursor === undefined) return { sessions };
  }
}
