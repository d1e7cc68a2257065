import { isThroughlineError } from '../errors.ts';
import {
  type BlobRef,
  type Entry,
  isBlobRef,
  isHidden,
  isPinned,
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
    pinned: await Promise.all(pins.map((entry) => putBack(store, entry, refsIn(entry.body)))),
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
    const refs = refsIn(entry.body);
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
