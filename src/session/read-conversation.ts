import { isThroughlineError } from '../errors.ts';
import {
  type BlobRef,
  type Compaction,
  type Entry,
  type EntryBody,
  isBlobRef,
  isHidden,
  isMarked,
  isPinned,
  type Root,
  type Seq,
  type SessionId,
  type SessionInfo,
  type SessionState,
  standingInstructions,
  type Target,
} from '../record/index.ts';
import { type Store, wholeBody } from '../store/index.ts';

/** Everything of a session that a context is made from. */
export interface Conversation {
  /** In the order of the conversation: bare messages and merges, collapsed compactions, the restoration. */
  readonly frontier: readonly Entry[];
  /** Pinned entries that a compaction covers: they are sent word for word all the same. */
  readonly pinned: readonly Entry[];
  readonly marks: Pick<SessionState, 'pinned' | 'excluded' | 'removed'>;
}

/** More than this no provider takes in one request, so older values than these cannot be sent anyway. */
const MOST_BYTES = 24 * 1024 * 1024;
/** What tools and models said in earlier turns is put back in place up to this size, and else stays a reference. */
const OLD_BYTES = 400 * 1024;

/**
 * Reads a session's frontier and pins, with the large values that a context may want in place: those of the newest question
 * and of every pin, whatever their size, because they are sent word for word or not at all. `ahead` are entries that
 * would come next and are in no log yet.
 */
export async function readConversation(
  store: Store,
  info: SessionInfo,
  ahead: readonly Entry[] = [],
): Promise<Conversation> {
  const { pinned, excluded, removed } = info.state;
  const marks = { pinned, excluded, removed };
  const frontier = [...(await readFrontier(store, info)), ...ahead];
  const bare = new Set(frontier.map(({ id }) => id));
  const pins = (await readTargets(store, info, pinned)).filter(({ id }) => !bare.has(id));
  return {
    frontier: await withValues(store, frontier, marks),
    pinned: await Promise.all(pins.map((entry) => putBack(store, entry, refsOf(entry.body)))),
    marks,
  };
}

/** Newest first, as long as a request could carry them. Few entries hold a reference. */
async function withValues(
  store: Store,
  entries: readonly Entry[],
  marks: Conversation['marks'],
): Promise<Entry[]> {
  const whole = [...entries];
  const asked = entries.findLastIndex((entry) => isQuestion(entry) && !isHidden(marks, entry));
  let left = MOST_BYTES;
  for (const [index, entry] of [...entries.entries()].reverse()) {
    const refs = refsOf(entry.body);
    if (refs.length === 0) continue;
    const bytes = refs.reduce((sum, ref) => sum + ref.bytes, 0);
    const firm = index === asked || isPinned(marks, entry);
    const wanted = index > asked || isQuestion(entry) || bytes <= OLD_BYTES;
    if (!firm && (!wanted || bytes > left)) continue;
    if (!firm) left -= bytes;
    whole[index] = await putBack(store, entry, refs);
  }
  return whole;
}

function isQuestion({ body }: Entry): boolean {
  return body.kind === 'message' && body.role === 'user';
}

/** The messages that targets point at, oldest first, each once. */
async function readTargets(
  store: Store,
  { id, head }: SessionInfo,
  targets: readonly Target[],
): Promise<Entry[]> {
  const found = await Promise.all(
    targets.map(async (target) => {
      if (!('entry' in target))
        return store.read(id, { after: target.from - 1, upTo: Math.min(target.to, head), only: 'messages' });
      const entry = await store.entry(id, target.entry);
      return entry?.body.kind === 'message' ? [entry] : [];
    }),
  );
  const entries = new Map(found.flat().map((entry) => [entry.id, entry]));
  return [...entries.values()].sort((a, b) => a.seq - b.seq);
}

async function putBack(store: Store, entry: Entry, refs: readonly BlobRef[]): Promise<Entry> {
  if (refs.length === 0) return entry;
  try {
    return { ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) };
  } catch (error) {
    // A lost value must not end the conversation: the reference and its preview still show its content.
    if (isThroughlineError(error, 'blob-missing') || isThroughlineError(error, 'blob-damaged')) return entry;
    throw error;
  }
}

// A store that gives an entry again gives the same object, which is never changed: its body is looked through once.
const known = new WeakMap<EntryBody, readonly BlobRef[]>();
const NONE: readonly BlobRef[] = [];

function refsOf(body: EntryBody): readonly BlobRef[] {
  let refs = known.get(body);
  if (!refs) {
    const found = refsIn(body);
    refs = found.length > 0 ? found : NONE;
    known.set(body, refs);
  }
  return refs;
}

function refsIn(value: unknown, found: BlobRef[] = []): BlobRef[] {
  if (typeof value !== 'object' || value === null) return found;
  if (isBlobRef(value)) found.push(value);
  else for (const inner of Array.isArray(value) ? value : Object.values(value)) refsIn(inner, found);
  return found;
}

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
