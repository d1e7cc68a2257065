import { ThroughlineError } from '../errors.ts';
import type { Author, Entry, Seq, SessionInfo, Summary, SummaryLine, Todo } from '../record/index.ts';
import { infoAt, type Session } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { type Checkpoint, EMPTY_CHECKPOINT, foldCheckpoint } from '../summary/index.ts';

// A checkpoint is never stored, except when somebody restores an old one: it follows from the summaries in the log. So
// every version is there, at the entry that made it, and none can be lost or out of step.

const DOCUMENT = 'checkpoint';

export interface CheckpointVersion {
  /** Counts the entries that made a new one: compactions and restorations of older versions. */
  readonly version: number;
  readonly seq: Seq;
  readonly at: number;
  readonly by: Author | { readonly kind: 'restored'; readonly version: number };
}

/** The state of the work at the session's head, or as it was after `at`. */
export async function readCheckpoint(
  store: Store,
  info: SessionInfo,
  { at = info.head }: { at?: Seq } = {},
): Promise<Checkpoint> {
  const then = await infoAt(store, info, at);
  const notes = await store.read(info.id, { upTo: at, only: 'notes' });
  const removed = new Set(then.state.removed.flatMap((target) => ('entry' in target ? [target.entry] : [])));
  const restored = notes.findLast(isRestored);
  const summaries = notes
    .filter(
      ({ id, body, seq }) => body.kind === 'compaction' && !removed.has(id) && seq > (restored?.seq ?? 0),
    )
    .sort(byConversation)
    .map((entry) => summaryOf(entry, restored));
  const resumed = restored
    ? []
    : notes.flatMap(({ body }) => (body.kind === 'restoration' ? [body.summary] : []));
  const base = restored ? contentOf(restored) : EMPTY_CHECKPOINT;
  const folded = foldCheckpoint([...resumed, ...summaries], base);
  return withTodos(
    folded,
    notes.filter(({ seq }) => Object.values(then.state.todos).includes(seq)),
  );
}

/** Every version there was, oldest first. */
export async function checkpointHistory(store: Store, info: SessionInfo): Promise<CheckpointVersion[]> {
  const notes = await store.read(info.id, { only: 'notes' });
  return notes
    .filter((entry) => entry.body.kind === 'compaction' || isRestored(entry))
    .map(({ seq, at, body }, index) => ({
      version: index + 1,
      seq,
      at,
      by: body.kind === 'compaction' ? body.by : { kind: 'restored', version: restoredFrom(body) },
    }));
}

export async function checkpointAt(store: Store, info: SessionInfo, version: number): Promise<Checkpoint> {
  const history = await checkpointHistory(store, info);
  const found = history.find((entry) => entry.version === version);
  if (found) return readCheckpoint(store, info, { at: found.seq });
  throw new ThroughlineError(
    'entry-not-found',
    `Session "${info.id}" has ${history.length} checkpoint versions; there is no ${version}.`,
    {
      details: { session: info.id, version, versions: history.length },
    },
  );
}

/** Makes an older version, or any checkpoint, the current one. Appends, like everything else. */
export async function restoreCheckpoint(
  session: Session,
  checkpoint: Checkpoint,
  { version }: { version: number },
): Promise<Entry> {
  const [entry] = await session.append([
    {
      kind: 'document',
      id: DOCUMENT,
      title: 'Checkpoint',
      content: checkpoint,
      mediaType: 'application/json',
      meta: { version },
    },
  ]);
  return entry!;
}

/** In the order of what they cover; of two that end together, the one that merged the other comes after it. */
function byConversation(a: Entry, b: Entry): number {
  if (a.body.kind !== 'compaction' || b.body.kind !== 'compaction') return a.seq - b.seq;
  return a.body.covers.to - b.body.covers.to || a.body.level - b.body.level;
}

/** After a restored version only what was said since counts: a later merge must not bring back what was dropped. */
function summaryOf({ body }: Entry, restored: Entry | undefined): Summary {
  if (body.kind !== 'compaction') throw new Error('bug: not a compaction');
  if (!restored) return body.summary;
  const isNew = ({ from }: SummaryLine) => from.length === 0 || from.some((id) => id > restored.id);
  const { topics, decisions, completed, pending, blockers, facts } = body.summary;
  const lists = { topics, decisions, completed, pending, blockers, facts };
  const kept = Object.entries(lists).map(([name, lines]) => [name, lines.filter(isNew)]);
  return { ...body.summary, ...Object.fromEntries(kept) };
}

function withTodos(checkpoint: Checkpoint, entries: readonly Entry[]): Checkpoint {
  const todos = entries.flatMap(({ id, body }) => (body.kind === 'todo' ? [{ id, todo: body }] : []));
  const lines = (statuses: readonly Todo['status'][]) =>
    todos
      .filter(({ todo }) => statuses.includes(todo.status))
      .map(({ id, todo }) => ({ text: todo.text, from: [id] }));
  const state = { completed: lines(['completed']), pending: lines(['pending', 'in_progress']) };
  return foldCheckpoint([{ ...EMPTY_SUMMARY, ...state }], checkpoint);
}

const EMPTY_SUMMARY: Summary = {
  background: '',
  overview: '',
  topics: [],
  decisions: [],
  completed: [],
  pending: [],
  blockers: [],
  facts: [],
  files: [],
  ledger: [],
};

function isRestored({ body }: Entry): boolean {
  return body.kind === 'document' && body.id === DOCUMENT && body.content !== null;
}

function contentOf({ body }: Entry): Checkpoint {
  return { ...EMPTY_CHECKPOINT, ...(body.kind === 'document' ? (body.content as Checkpoint) : {}) };
}

function restoredFrom(body: Entry['body']): number {
  const version = body.kind === 'document' ? body.meta?.version : undefined;
  return typeof version === 'number' ? version : 0;
}
