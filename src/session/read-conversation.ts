import { isThroughlineError } from '../errors.ts';
import {
  type BlobRef,
  type Entry,
  isBlobRef,
  type SessionInfo,
  type SessionState,
  type Target,
} from '../record/index.ts';
import { type Store, wholeBody } from '../store/index.ts';
import { readFrontier } from './read-frontier.ts';

/** Everything of a session that a context is made from. */
export interface Conversation {
  /** In the order of the conversation: bare messages and merges, collapsed compactions, the restoration. */
  readonly frontier: readonly Entry[];
  /** Pinned entries that a compaction covers: they are sent word for word all the same. */
  readonly pinned: readonly Entry[];
  readonly marks: Pick<SessionState, 'pinned' | 'excluded' | 'removed'>;
}

/** Values up to this size are put back in place; a larger one stays a reference with its preview. */
const WHOLE_BYTES = 400 * 1024;

/** Reads a session's frontier and pins, with the large values that a context may want in place. */
export async function readConversation(store: Store, info: SessionInfo): Promise<Conversation> {
  const { pinned, excluded, removed } = info.state;
  const frontier = await readFrontier(store, info);
  const bare = new Set(frontier.map(({ id }) => id));
  const pins = (await readTargets(store, info, pinned)).filter(({ id }) => !bare.has(id));
  return {
    frontier: await withValues(store, frontier),
    pinned: await withValues(store, pins),
    marks: { pinned, excluded, removed },
  };
}

/** Few entries hold a reference, and the others need nobody to wait for them. */
async function withValues(store: Store, entries: Entry[]): Promise<Entry[]> {
  const whole = [...entries];
  for (const [index, entry] of entries.entries()) {
    const refs = refsIn(entry.body);
    if (refs.length > 0) whole[index] = await putBack(store, entry, refs);
  }
  return whole;
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
  if (refs.reduce((sum, { bytes }) => sum + bytes, 0) > WHOLE_BYTES) return entry;
  try {
    return { ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) };
  } catch (error) {
    // A lost value must not end the conversation: the reference and its preview still say what was there.
    if (isThroughlineError(error, 'blob-missing') || isThroughlineError(error, 'blob-damaged')) return entry;
    throw error;
  }
}

function refsIn(value: unknown, found: BlobRef[] = []): BlobRef[] {
  if (typeof value !== 'object' || value === null) return found;
  if (isBlobRef(value)) found.push(value);
  else for (const inner of Array.isArray(value) ? value : Object.values(value)) refsIn(inner, found);
  return found;
}
