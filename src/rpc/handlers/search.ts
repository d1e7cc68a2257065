import { idsOf } from '../../memory/index.ts';
import { reachableOf, reachesSession } from '../../operations/index.ts';
import type { Filters, Hit } from '../../recall/index.ts';
import { type SessionInfo, titleOf } from '../../record/index.ts';
import type { Call, Handler } from '../call.ts';

const find: Handler<'search'> = async ({ query, limit, by, mark, ...asked }, call) => {
  const filters = await filtersIn(asked, call);
  const { recall, behind } = await call.index.current();
  const known = new Map<string, SessionInfo | undefined>();
  const hits: (Hit & { title: string })[] = [];
  // What is out of reach is left out, so more is asked for until there is enough.
  for (let wanted = limit; ; wanted *= 4) {
    const found = await recall.search(query, { ...filters, by, mark, limit: wanted });
    hits.length = 0;
    for (const hit of found) {
      if (!known.has(hit.session)) known.set(hit.session, await reachable(call, hit.session));
      const info = known.get(hit.session);
      if (info && hits.length < limit) hits.push({ ...hit, title: titleOf(info.state) });
    }
    if (hits.length >= limit || found.length < wanted || call.access.projects === null) break;
  }
  return {
    hits: hits.map(({ session, title, entry, seq, role, at, snippet, score }) => ({
      session,
      title,
      entry,
      seq,
      role,
      at,
      snippet,
      score,
    })),
    behind,
  };
};

async function reachable({ store, access }: Call, id: string): Promise<SessionInfo | undefined> {
  const info = await store.session(id);
  return info && (await reachesSession(store, access, info)) ? info : undefined;
}

type Asked = Omit<Parameters<typeof find>[0], 'query' | 'limit' | 'by' | 'mark'>;

async function filtersIn(
  { sessionId, lineage, project, decision, ...rest }: Asked,
  call: Call,
): Promise<Filters> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Filters),
    ...(sessionId !== undefined && { session: (await call.find(sessionId)).id }),
    ...(lineage !== undefined && { lineage: (await call.find(lineage)).id }),
    ...(project !== undefined && { sessions: await idsOf(call.store, await reachableOf(call, project)) }),
    ...(decision && { decision: true as const }),
  };
}

export const search = { search: find };
