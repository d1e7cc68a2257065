import type { Compaction, Entry, Root, Seq, SessionId, SessionInfo, Target } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/**
 * What the context is made from, in the order of the conversation: the messages and merges that no compaction covers, and
 * each collapsed compaction where the entries it covers were said (not where it was written). Costs what it returns.
 */
export async function readFrontier(store: Store, { id, head, state }: SessionInfo): Promise<Entry[]> {
  const frontier: Entry[] = [];
  let cursor: Seq = 0;

  async function bare(upTo: Seq): Promise<void> {
    if (cursor >= upTo) return;
    const said = await store.read(id, { after: cursor, upTo, only: 'messages' });
    for (const seq of [...(state.merges ?? []), ...(state.restoration ? [state.restoration] : [])]) {
      if (seq > cursor && seq <= upTo) said.push(...(await store.read(id, { after: seq - 1, upTo: seq })));
    }
    frontier.push(...said.sort((a, b) => a.seq - b.seq));
  }

  const isOpened = (root: Root) => isMarked(state.expanded, root) || isMarked(state.removed, root);
  for (const root of outermost(await collapsed(store, id, { roots: state.roots, isOpened }))) {
    await bare(root.from - 1);
    frontier.push(await readCompaction(store, id, root));
    cursor = root.to;
  }
  await bare(head);
  return frontier;
}

/** The compactions one sees: in place of an opened one, what it was made of, and so on down. */
async function collapsed(
  store: Store,
  id: SessionId,
  { roots, isOpened }: { roots: readonly Root[]; isOpened: (root: Root) => boolean },
): Promise<Root[]> {
  const seen: Root[] = [];
  for (const root of roots) {
    if (!isOpened(root)) seen.push(root);
    else seen.push(...(await collapsed(store, id, { roots: await childrenOf(store, id, root), isOpened })));
  }
  return seen;
}

/** By where they stand, without those inside another: one that was made while its surroundings were opened. */
function outermost(roots: readonly Root[]): Root[] {
  const kept: Root[] = [];
  for (const root of roots.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (!kept.some(({ to }) => root.to <= to)) kept.push(root);
  }
  return kept;
}

/** Children are older than what covers them; a claim to the contrary could lead in a circle. */
async function childrenOf(store: Store, id: SessionId, root: Root): Promise<Root[]> {
  const { body } = await readCompaction(store, id, root);
  const entries = await Promise.all(body.children.map((child) => store.entry(id, child)));
  return entries.flatMap((entry): Root[] =>
    entry?.body.kind === 'compaction' && entry.seq < root.seq
      ? [{ id: entry.id, seq: entry.seq, level: entry.body.level, ...entry.body.covers }]
      : [],
  );
}

export async function readCompaction(
  store: Store,
  id: SessionId,
  { seq }: Root,
): Promise<Entry & { body: Compaction }> {
  const [entry] = await store.read(id, { after: seq - 1, upTo: seq });
  if (entry?.body.kind !== 'compaction')
    throw new Error(`bug: entry ${seq} of session "${id}" should be a compaction`);
  return entry as Entry & { body: Compaction };
}

export function isMarked(targets: readonly Target[], root: Root): boolean {
  return targets.some((target) =>
    'entry' in target ? target.entry === root.id : target.from <= root.seq && root.seq <= target.to,
  );
}
