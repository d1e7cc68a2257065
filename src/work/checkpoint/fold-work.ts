import { readCheckpoint } from '../../compaction/index.ts';
import {
  CHECKPOINT_DOCUMENT,
  type Compaction,
  type Entry,
  type EntryId,
  type SessionId,
  type SessionInfo,
  type Summary,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import {
  type Checkpoint,
  type CheckpointFile,
  foldCheckpoint,
  foldCompactions,
  writeCheckpointFile,
} from '../../summary/index.ts';
import type { Desk } from '../desk.ts';

// The checkpoint is the fold of every summary, oldest first. Nearly always the next one belongs at the end, and then it is
// enough to fold that one. Facts come from the summaries that still stand: it goes stale, and there is no end to it.

/** What summaries have done to a session. */
interface Accounting {
  /** Counts the versions of the checkpoint. */
  readonly version: number;
  readonly updatedAt: number;
  /** Tokens of the messages that the last compaction took away. */
  readonly lastCompactionInput: number;
  /** Tokens that all compactions together have taken out of requests. */
  readonly totalSaved: number;
}

export interface WorkFold {
  readonly checkpoint: Checkpoint;
  readonly accounting: Accounting;
  /** Absent when the log holds what cannot be folded on: then it is folded as a whole each time. */
  readonly end?: FoldEnd;
}

interface FoldEnd {
  /** Where the newest summary stands, by the last entry it covers, and its level. */
  readonly place: number;
  readonly level: number;
  /** Of the compactions that no other covers. */
  readonly standing: ReadonlyMap<EntryId, Summary>;
}

export async function foldWork(store: Store, info: SessionInfo): Promise<WorkFold> {
  const notes = await store.read(info.id, { only: 'notes' });
  const start = { version: 0, updatedAt: info.createdAt, lastCompactionInput: 0, totalSaved: 0 };
  const accounting = notes.reduce(account, start);
  if (!isPlain(info)) return { checkpoint: await readCheckpoint(store, info), accounting };
  const summaries = notes.filter(isCompaction).sort((a, b) => comparePlaces(a.body, b.body));
  const standing = standingOf(info, new Map(summaries.map(({ id, body }) => [id, body.summary])));
  const folded = foldCompactions(summaries.map(({ body }) => withoutFacts(body)));
  const last = summaries.at(-1)?.body;
  const end = { place: last?.covers.to ?? 0, level: last?.level ?? 0, standing };
  return { checkpoint: withFacts(folded, standing), accounting, end };
}

/** The fold after one more note; `undefined` if that takes reading everything again. */
export function foldOn(before: WorkFold, entry: Entry, info: SessionInfo): WorkFold | undefined {
  const { end } = before;
  if (!isCompaction(entry) || !end || !isPlain(info)) return undefined;
  const { covers, level } = entry.body;
  if (comparePlaces({ covers: { to: end.place }, level: end.level }, entry.body) >= 0) return undefined;
  const standing = standingOf(info, new Map([...end.standing, [entry.id, entry.body.summary]]));
  const folded = foldCompactions([withoutFacts(entry.body)], before.checkpoint);
  return {
    checkpoint: withFacts(folded, standing),
    accounting: account(before.accounting, entry),
    end: { place: covers.to, level, standing },
  };
}

/** Nothing but compactions has a say in the checkpoint, and all of them stand. */
function isPlain({ state }: SessionInfo): boolean {
  const { todos, documents, merges = [], restoration, expanded, removed } = state;
  const others = [Object.keys(todos), merges, expanded, removed].some((list) => list.length > 0);
  return !others && restoration === undefined && documents.checkpoint === undefined;
}

type Place = { readonly covers: { readonly to: number }; readonly level: number };

/** Behind what it covers; of two that end together the one that merged the other is behind it. */
function comparePlaces(a: Place, b: Place): number {
  return a.covers.to - b.covers.to || a.level - b.level;
}

function isCompaction(entry: Entry): entry is Entry & { body: Compaction } {
  return entry.body.kind === 'compaction';
}

function standingOf({ state }: SessionInfo, summaries: ReadonlyMap<EntryId, Summary>): Map<EntryId, Summary> {
  return new Map(
    state.roots.flatMap(({ id }) => (summaries.has(id) ? [[id, summaries.get(id)!] as const] : [])),
  );
}

function withoutFacts(body: Compaction): Compaction {
  return { ...body, summary: { ...body.summary, facts: [] } };
}

function withFacts(checkpoint: Checkpoint, standing: ReadonlyMap<EntryId, Summary>): Checkpoint {
  return { ...checkpoint, facts: foldCheckpoint([...standing.values()]).facts };
}

function account(before: Accounting, { at, body }: Entry): Accounting {
  const restored = body.kind === 'document' && body.id === CHECKPOINT_DOCUMENT && body.content !== null;
  if (body.kind !== 'compaction' && body.kind !== 'merge' && !restored) return before;
  const next = { ...before, version: before.version + 1, updatedAt: at };
  if (body.kind !== 'compaction') return next;
  const { tokensBefore, tokensAfter, level } = body;
  return (
    broughtAlong(body, next) ?? {
      ...next,
      lastCompactionInput: level === 1 ? tokensBefore : before.lastCompactionInput,
      totalSaved: before.totalSaved + Math.max(0, tokensBefore - tokensAfter),
    }
  );
}

/** The checkpoint of another program counts what happened before it came here. */
function broughtAlong({ meta }: Compaction, next: Accounting): Accounting | undefined {
  const { version, tokens } = (meta?.dagent ?? {}) as Partial<CheckpointFile>;
  if (typeof version !== 'number' || typeof tokens?.totalSaved !== 'number') return undefined;
  const { totalSaved, lastCompactionInput } = tokens;
  return { ...next, version, totalSaved, lastCompactionInput };
}

/** How the work of a session stands, with what its compactions have saved. */
export async function readCheckpointOf(desk: Desk, id: SessionId): Promise<CheckpointFile> {
  const { info, fold, loop } = await desk.sessions.read(id);
  return writeCheckpointFile(fold.checkpoint, {
    sessionId: id,
    createdAt: info.createdAt,
    ...fold.accounting,
    ...(loop && { loop }),
  });
}
