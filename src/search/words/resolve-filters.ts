import type { Role, SessionId } from '../../record/index.ts';
import { getSession, type LineageNode, readLineage } from '../../session/index.ts';
import type { SessionQuery, Store } from '../../store/index.ts';
import { docId, keyOf, LAST_SEQ } from '../index/doc-id.ts';
import { type DocRange, docRanges, intersectRanges } from '../index/doc-ranges.ts';
import type { IndexTables } from '../index/tables.ts';
import type { Filters } from '../recall.ts';
import { plainPath } from '../text/paths-in.ts';
import type { Scope } from './scope.ts';

/** Sessions are asked for in the store, which knows their labels as they are now; only messages are in the index. */
export async function resolveFilters(store: Store, tables: IndexTables, filters: Filters): Promise<Scope> {
  const { session, lineage, sessions, within, role, since, until, place } = filters;
  const parts: DocRange[][] = [];
  if (session !== undefined) parts.push(await visibleIn(store, tables, session));
  if (lineage !== undefined) parts.push(wholeSessions(tables, await familyOf(store, lineage)));
  if (sessions) parts.push(wholeSessions(tables, sessions));
  if (within) {
    const visible = within.map((range) => visibleIn(store, tables, range.session, range));
    parts.push((await Promise.all(visible)).flat());
  }
  const labels = labelQuery(filters);
  if (labels) parts.push(wholeSessions(tables, await idsOf(store, labels)));
  // A session that is named is meant, wherever it is kept.
  const trashed =
    place === undefined && session === undefined && !within ? await idsOf(store, { place: 'trashed' }) : [];
  return {
    ranges: parts.length === 0 ? undefined : parts.map(docRanges).reduce(intersectRanges),
    without: new Set(trashed.flatMap((id) => tables.session(id)?.key ?? [])),
    docs: pickedDocs(tables, filters),
    roles: role === undefined ? undefined : ([role].flat() as Role[]),
    since: since ?? Number.NEGATIVE_INFINITY,
    until: until ?? Number.POSITIVE_INFINITY,
    keyOf,
  };
}

/** Messages that are asked for one by one, not by their session: absent when any will do. */
function pickedDocs(tables: IndexTables, { file, decision }: Filters): ReadonlySet<number> | undefined {
  const touching = file === undefined ? undefined : new Set(tables.touching(plainPath(file)));
  if (!decision) return touching;
  const deciding = new Set(tables.decisions());
  return touching ? touching.intersection(deciding) : deciding;
}

function labelQuery({ project, agent, tag, place }: Filters): Omit<SessionQuery, 'limit'>[] | undefined {
  if ([project, agent, tag, place].every((label) => label === undefined)) return undefined;
  const labels = {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
  };
  const places = place === undefined ? (['active', 'archived'] as const) : [place];
  return places.map((where) => ({ ...labels, place: where }));
}

async function idsOf(
  store: Store,
  queries: Omit<SessionQuery, 'limit'> | readonly Omit<SessionQuery, 'limit'>[],
): Promise<SessionId[]> {
  const ids: SessionId[] = [];
  for (const query of [queries].flat()) {
    for (let cursor: string | undefined; ; ) {
      const page = await store.list({ ...query, limit: 500, ...(cursor && { cursor }) });
      ids.push(...page.sessions.map(({ id }) => id));
      cursor = page.cursor;
      if (!cursor) break;
    }
  }
  return ids;
}

/** A session's own messages, and what it shares with those it was forked from, each up to where it left. */
async function visibleIn(
  store: Store,
  tables: IndexTables,
  id: SessionId,
  { from, to: end } = { from: 0, to: LAST_SEQ },
): Promise<DocRange[]> {
  const ranges: DocRange[] = [];
  let to = end;
  for (let info = await getSession(store, id); ; ) {
    ranges.push(...rangeIn(tables, info.id, { from, to }));
    if (info.parent?.relation !== 'fork') return ranges;
    to = Math.min(to, info.parent.seq);
    info = await getSession(store, info.parent.session);
  }
}

async function familyOf(store: Store, id: SessionId): Promise<SessionId[]> {
  const { root } = await readLineage(store, await getSession(store, id));
  const idsIn = ({ session, children }: LineageNode): SessionId[] => [session.id, ...children.flatMap(idsIn)];
  return idsIn(root);
}

function wholeSessions(tables: IndexTables, ids: readonly SessionId[]): DocRange[] {
  return ids.flatMap((id) => rangeIn(tables, id, { from: 0, to: LAST_SEQ }));
}

function rangeIn(tables: IndexTables, id: SessionId, { from, to }: { from: number; to: number }): DocRange[] {
  const row = tables.session(id);
  return row ? [{ from: docId(row.key, from), to: docId(row.key, to) }] : [];
}
