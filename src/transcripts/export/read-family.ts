import type { Entry, Seq, SessionInfo } from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import type { Family, OutgoingEntry, OutgoingSession } from '../transcript.ts';

const PAGE = 50;

/**
 * The sessions that are written together: the named one, its parents, their forks, and, if wanted, their work sessions. `alone`
 * is the one asked for only, seen along its lineage.
 */
export async function readFamily(
  store: Store,
  asked: SessionInfo,
  { alone = false, subAgents = false }: { alone?: boolean; subAgents?: boolean } = {},
): Promise<Family> {
  const infos = alone ? [standingAlone(asked)] : await withForks(store, await eldestOf(store, asked));
  if (subAgents && !alone) infos.push(...(await subAgentsOf(store, infos)));
  const sessions = infos.map((info) => outgoing(store, info));
  return { sessions, asked: sessions.find(({ info }) => info.id === asked.id)! };
}

/** What a fork shares becomes its own where its parent is not written along. */
function standingAlone({ parent, ...info }: SessionInfo): SessionInfo {
  return parent?.relation === 'resume' ? { ...info, parent } : info;
}

export function outgoing(store: Store, info: SessionInfo): OutgoingSession {
  async function* whole(entries: AsyncIterable<Entry>): AsyncGenerator<OutgoingEntry> {
    for await (const entry of entries) {
      yield { ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) };
    }
  }
  return {
    info,
    entries: ({ after = 0 } = {}) => whole(entriesOf(store, info, { after })),
    notes: (after) => whole(entriesOf(store, info, { after, only: 'notes' })),
  };
}

async function* entriesOf(
  store: Store,
  { id, head }: SessionInfo,
  { after, ...filter }: { after: Seq; only?: 'notes' },
): AsyncGenerator<Entry> {
  for (let cursor = after; cursor < head; ) {
    const page = await store.read(id, { ...filter, after: cursor, upTo: head, limit: PAGE });
    yield* page;
    if (page.length === 0) return;
    cursor = page.at(-1)!.seq;
  }
}

async function eldestOf(store: Store, asked: SessionInfo): Promise<SessionInfo> {
  let eldest = asked;
  for (const passed = new Set([asked.id]); eldest.parent?.relation === 'fork'; passed.add(eldest.id)) {
    const parent = await store.session(eldest.parent.session);
    if (!parent || passed.has(parent.id)) break;
    eldest = parent;
  }
  return eldest;
}

/** Sub-agents name the session they worked for as its source does. */
async function subAgentsOf(store: Store, family: readonly SessionInfo[]): Promise<SessionInfo[]> {
  const names = new Set<unknown>(family.flatMap(({ id, state }) => [id, state.settings.source?.session]));
  const known = new Set(family.map(({ id }) => id));
  const found: SessionInfo[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ tag: 'sub-agent', limit: 100, ...(cursor && { cursor }) });
    for (const info of page.sessions)
      if (names.has(info.state.settings.subAgentOf) && !known.has(info.id)) found.push(info);
    cursor = page.cursor;
    if (!cursor) return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** Depth first, so that every session stands behind the one it was forked from. */
async function withForks(
  store: Store,
  info: SessionInfo,
  passed = new Set([info.id]),
): Promise<SessionInfo[]> {
  const family = [info];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ parent: info.id, limit: 100, ...(cursor && { cursor }) });
    for (const child of page.sessions.toSorted(
      (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )) {
      if (child.parent?.relation !== 'fork' || passed.has(child.id)) continue;
      passed.add(child.id);
      family.push(...(await withForks(store, child, passed)));
    }
    cursor = page.cursor;
    if (!cursor) return family;
  }
}
