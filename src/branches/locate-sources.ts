import type { Entry, EntryId, Seq, SessionId, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { readMerges } from './find-base.ts';
import { type Forebear, traceAncestry } from './trace-ancestry.ts';

/** Where a line comes from. Only the id is there when the entry itself is gone with a purged session. */
export interface Source {
  readonly entry: EntryId;
  /** The session that it was said in. */
  readonly session?: SessionId;
  readonly seq?: Seq;
  readonly at?: number;
}

/**
 * Finds the entries behind lines: in a session and those it came from, then in the branches that were merged into any of
 * them, whose entries stay where they are.
 */
export async function locateSources(
  store: Store,
  sessions: readonly SessionInfo[],
  ids: Iterable<EntryId>,
): Promise<ReadonlyMap<EntryId, Source>> {
  const wanted = new Set(ids);
  const found = new Map<EntryId, Source>();
  const asked = new Set<SessionId>();
  const queue = [...sessions];
  for (let info = queue.shift(); info && wanted.size > 0; info = queue.shift()) {
    if (asked.has(info.id)) continue;
    asked.add(info.id);
    const ancestry = await traceAncestry(store, info);
    for (const { info: view } of ancestry.filter((_, index) => startsLog(ancestry, index))) {
      for (const id of wanted) {
        const entry = await store.entry(view.id, id);
        if (!entry) continue;
        wanted.delete(id);
        found.set(id, describe(entry, ancestry.slice(ancestry.findIndex((each) => each.info === view))));
      }
    }
    for (const { body } of await readMerges(store, ancestry)) {
      const branch = await store.session(body.branch);
      if (branch) queue.push(branch);
    }
  }
  for (const id of wanted) found.set(id, { entry: id });
  return found;
}

/** Whether a forebear sees a log that the younger ones do not. */
function startsLog(ancestry: readonly Forebear[], index: number): boolean {
  return index === 0 || ancestry[index - 1]!.info.parent?.relation === 'resume';
}

/** A fork sees its parent's entries under the same numbers; they were said in the parent. */
function describe({ id, seq, at }: Entry, ancestry: readonly Forebear[]): Source {
  const owner = ancestry.find(({ info: { parent } }) => parent?.relation !== 'fork' || seq > parent.seq);
  return { entry: id, session: owner!.info.id, seq, at };
}
