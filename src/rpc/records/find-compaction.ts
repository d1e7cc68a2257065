import { isThroughlineError } from '../../errors.ts';
import type { EntryId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { Call } from '../call.ts';
import { refused } from '../error-codes.ts';
import { type CompactionNode, type CompactionTree, readCompactionTree } from './compaction-tree.ts';

export interface FoundCompaction {
  readonly info: SessionInfo;
  readonly tree: CompactionTree;
  readonly node: CompactionNode;
}

/** The compaction that is meant: in the session named, or in the one it was made in. */
export async function findCompaction(
  { store, find }: Pick<Call, 'store' | 'find'>,
  { id, sessionId }: { id: EntryId; sessionId?: string | undefined },
): Promise<FoundCompaction> {
  const session = sessionId ?? (await sessionOf(store, id));
  if (session === undefined) throw notFound(id);
  const info = await find(session).catch((error: unknown) => {
    // Nobody named the session: that there is one is not for everybody.
    throw sessionId === undefined && isThroughlineError(error, 'session-not-found') ? notFound(id) : error;
  });
  const tree = await readCompactionTree(store, info);
  const node = tree.find(id);
  if (!node) throw notFound(id);
  return { info, tree, node };
}

/** Where compactions were made: an id alone says nothing about its session, so that is looked for once. */
const homes = new WeakMap<Store, Map<EntryId, string>>();
const MOST = 10_000;

async function sessionOf(store: Store, id: EntryId): Promise<string | undefined> {
  const known = homes.get(store) ?? new Map<EntryId, string>();
  homes.set(store, known);
  const found = known.get(id) ?? (await search(store, id));
  if (found !== undefined) known.set(id, found);
  if (known.size > MOST) known.delete(known.keys().next().value!);
  return found;
}

async function search(store: Store, id: EntryId): Promise<string | undefined> {
  for (const place of ['active', 'archived', 'trashed'] as const) {
    for (let cursor: string | undefined; ; ) {
      const page = await store.list({ limit: 200, place, ...(cursor !== undefined && { cursor }) });
      for (const info of page.sessions) if (await isHome(store, info, id)) return info.id;
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
  }
  return undefined;
}

/** A fork sees the compactions of its parent too; the one whose own log has it is its home. */
async function isHome(
  store: Store,
  { id: session, parent, state }: SessionInfo,
  id: EntryId,
): Promise<boolean> {
  if (state.roots.length === 0) return false;
  const entry = await store.entry(session, id);
  return entry?.body.kind === 'compaction' && entry.seq > (parent?.relation === 'fork' ? parent.seq : 0);
}

function notFound(id: EntryId) {
  return refused('entry-not-found', `There is no compaction ${id}.`, { compaction: id });
}
