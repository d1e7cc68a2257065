import {
  type Compaction,
  type Entry,
  isMarked,
  type Root,
  type Seq,
  type SessionId,
  type SessionInfo,
  standingInstructions,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';

/**
 * What the context is made from, in the order of the conversation: the messages and merges that no compaction covers, and
 * each collapsed compaction where the entries it covers were said (not where it was written). The instructions that the
 * conversation began with stand first, also when a compaction covers them. Costs what it returns.
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

  for (const root of await seenRoots(store, { id, state })) {
    await bare(root.from - 1);
    if (!hasBegun(frontier)) frontier.push(...(await coveredInstructions(store, id, root)));
    frontier.push(await readCompaction(store, id, root));
    cursor = root.to;
  }
  await bare(head);
  return frontier;
}

function hasBegun(frontier: readonly Entry[]): boolean {
  const said = frontier.filter(({ body }) => body.kind !== 'restoration');
  return standingInstructions(said).length < said.length;
}

/** What a compaction covers at its beginning that is an instruction and no conversation: it is never only a summary. */
async function coveredInstructions(store: Store, id: SessionId, { from, to }: Root): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let after = from - 1; ; ) {
    // One at a time: hardly any session begins with more, and most with none.
    const [next] = await store.read(id, { after, upTo: to, only: 'messages', limit: 1 });
    if (!next || standingInstructions([next]).length === 0) return found;
    found.push(next);
    after = next.seq;
  }
}

/** The compactions that stand on the frontier, oldest first; with others opened or closed than the marks say. */
export async function seenRoots(
  store: Store,
  { id, state }: Pick<SessionInfo, 'id' | 'state'>,
  {
    isOpened = () => false,
    isClosed = () => false,
  }: { isOpened?: (root: Root) => boolean; isClosed?: (root: Root) => boolean } = {},
): Promise<Root[]> {
  const opened = (root: Root) =>
    !isClosed(root) && (isOpened(root) || isMarked(state.expanded, root) || isMarked(state.removed, root));
  return outermost(await collapsed(store, id, { roots: state.roots, isOpened: opened }));
}

/**
 * The compactions that stand, opened or not, oldest first. In place of a deleted one stand those that it was made of; one
 * of messages leaves nothing behind.
 */
export function livingRoots(store: Store, info: Pick<SessionInfo, 'id' | 'state'>): Promise<Root[]> {
  return seenRoots(store, info, { isClosed: (root) => !isMarked(info.state.removed, root) });
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
export async function childrenOf(store: Store, id: SessionId, root: Root): Promise<Root[]> {
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
