import {
  CHECKPOINT_DOCUMENT,
  CheckpointList,
  droppedIn,
  type Entry,
  type EntryId,
  emptySummary,
  isMarked,
  mapLines,
  type Seq,
  type SessionInfo,
  SUMMARY_LISTS,
  type Summary,
  type SummaryLine,
  summaryIn,
  type Todo,
} from '../record/index.ts';
import { infoAt } from '../session/index.ts';
import { type Store, wholeBody } from '../store/index.ts';
import {
  type Checkpoint,
  EMPTY_CHECKPOINT,
  foldCheckpoint,
  foldSteps,
  type Step,
  sameLine,
  withLists,
} from '../summary/index.ts';

// A checkpoint is never stored, except when an old one is restored: it follows from the notes in the log. So every version is
// there, at the entry that made it, and none can be lost or out of step.

/** A stretch of a log, and the state where it begins. */
interface Stretch {
  readonly after?: Seq;
  readonly at?: Seq;
  readonly base?: Checkpoint;
  /** Which of these entries the base knows. A line counts only if something is behind it that the base does not know. */
  readonly knows?: (ids: readonly EntryId[]) => Promise<ReadonlySet<EntryId>>;
  /** Summaries that are in no log, each of messages up to `place`. */
  readonly unwritten?: readonly { readonly place: Seq; readonly summary: Summary }[];
}

/** The state of the work after a stretch of a session's log: summaries, merges, to-dos and restored versions in it. */
export async function foldNotes(
  store: Store,
  info: SessionInfo,
  { after = 0, at = info.head, base = EMPTY_CHECKPOINT, knows, unwritten = [] }: Stretch = {},
): Promise<Checkpoint> {
  const then = await infoAt(store, info, at);
  const notes = await store.read(info.id, { after, upTo: at, only: 'notes' });
  const restored = notes.findLast(isRestored);
  const start = restored?.seq ?? 0;
  const entries = notes
    .filter((entry) => entry.seq > start && !isMarked(then.state.removed, entry))
    .filter(({ body }) => summaryIn(body) !== undefined);
  const known = restored ? olderThan(restored) : await knownIds(entries, knows);
  const steps = [
    ...entries.flatMap((entry) => toSteps(entry, known).map((step) => ({ ...placeOf(entry), step }))),
    ...unwritten
      .filter(({ place }) => place > start)
      .map(({ place, summary }) => ({ place, level: 0, step: summary })),
  ].sort((a, b) => a.place - b.place || a.level - b.level);
  const folded = foldSteps(
    steps.map(({ step }) => step),
    restored ? await restore(store, info, { restored, base }) : base,
  );
  return withTodos(
    await withoutChanged(store, info, { folded, notes, after }),
    notes.filter(({ seq }) => Object.values(then.state.todos).includes(seq)),
  );
}

/** Whether an entry makes an older version, or any checkpoint, the current one. */
export function isRestored({ body }: Entry): boolean {
  return body.kind === 'document' && body.id === CHECKPOINT_DOCUMENT && body.content !== null;
}

/**
 * Where in the conversation a summary belongs: behind what it covers, and of two that end together the one that merged
 * the other behind it. What a session was resumed from comes first, and a merge stands where it was made.
 */
function placeOf({ seq, body }: Entry): { place: Seq; level: number } {
  if (body.kind === 'compaction') return { place: body.covers.to, level: body.level };
  return { place: body.kind === 'restoration' ? 0 : seq, level: 0 };
}

type IsKnown = (id: EntryId) => boolean;

/** After a restored version only newer messages count: a later merge of tiers must not bring back dropped lines. */
function olderThan(restored: Entry): IsKnown {
  return (id) => id <= restored.id;
}

async function knownIds(entries: readonly Entry[], knows: Stretch['knows']): Promise<IsKnown | undefined> {
  if (!knows) return undefined;
  const lines = entries.flatMap(({ body }) => {
    const summary = summaryIn(body);
    return summary ? [...SUMMARY_LISTS.map((list) => summary[list] ?? []), summary.files].flat() : [];
  });
  const known = await knows([...new Set(lines.flatMap(({ from = [] }) => from))]);
  return (id) => known.has(id);
}

function toSteps({ id, body }: Entry, isKnown: IsKnown | undefined): Step[] {
  if (body.kind === 'merge') return [{ id, merge: body }];
  if (body.kind !== 'compaction' && body.kind !== 'restoration') throw new Error('bug: holds no summary');
  const summary = withLists(body.summary);
  const own = isKnown ? onlyNew(summary, isKnown) : summary;
  const dropped = body.kind === 'compaction' ? droppedIn(body.meta) : [];
  // Where the summary was made here, what it carries is in the log, before what has closed some of it.
  const isFirst = body.kind === 'restoration' || body.by.kind === 'import';
  return isFirst && summary.foreign
    ? [withLists(emptySummary(summary.foreign)), own]
    : [...(dropped.length > 0 ? [{ taken: dropped }] : []), own];
}

/** The lines with something behind them that is not known. A line without sources may be about anything, so it stays. */
export function onlyNew(summary: Summary, isKnown: IsKnown): Summary {
  const isNew = ({ from = [] }: { from?: readonly EntryId[] | undefined }) =>
    from.length === 0 || from.some((id) => !isKnown(id));
  return { ...mapLines(summary, (lines) => lines.filter(isNew)), files: summary.files.filter(isNew) };
}

/** Takes out what a to-do said before the stretch, if the stretch says something else of it. */
async function withoutChanged(
  store: Store,
  info: SessionInfo,
  { folded, notes, after }: { folded: Checkpoint; notes: readonly Entry[]; after: Seq },
): Promise<Checkpoint> {
  const changed = notes.flatMap(({ body }) => (body.kind === 'todo' ? [body.id] : []));
  if (after === 0 || changed.length === 0) return folded;
  const { todos } = (await infoAt(store, info, after)).state;
  const seqs = [...new Set(changed)].flatMap((id) => todos[id] ?? []);
  const before = await Promise.all(
    seqs.map((seq) => store.read(info.id, { after: seq - 1, upTo: seq, only: 'notes' })),
  );
  const ids = new Set(before.flat().map(({ id }) => id));
  const stands = ({ from }: SummaryLine) => !from.some((id) => ids.has(id));
  return { ...folded, pending: folded.pending.filter(stands), completed: folded.completed.filter(stands) };
}

function withTodos(checkpoint: Checkpoint, entries: readonly Entry[]): Checkpoint {
  const todos = entries.flatMap(({ id, body }) => (body.kind === 'todo' ? [{ id, todo: body }] : []));
  const lines = (statuses: readonly Todo['status'][]) =>
    todos
      .filter(({ todo }) => statuses.includes(todo.status))
      .map(({ id, todo }) => ({ text: todo.text, from: [id] }));
  const state = { completed: lines(['completed']), pending: lines(['pending', 'in_progress']) };
  return foldCheckpoint([{ ...emptySummary(), ...state }], checkpoint);
}

/** The restored version, with what the base knows that no version has held: that cannot have been dropped on purpose. */
async function restore(
  store: Store,
  info: SessionInfo,
  { restored, base }: { restored: Entry; base: Checkpoint },
): Promise<Checkpoint> {
  const content = await contentOf(store, restored);
  if (base === EMPTY_CHECKPOINT) return content;
  const written = await foldNotes(store, info, { at: restored.seq - 1 });
  const lists = CheckpointList.options.map((list) => {
    const held = [...written[list], ...content[list]];
    return [list, base[list].filter(({ text }) => !held.some((line) => sameLine(line.text, text)))];
  });
  return foldCheckpoint([{ ...emptySummary(), ...Object.fromEntries(lists) }], content);
}

/** A long one stands beside the log. */
async function contentOf(store: Store, { body }: Entry): Promise<Checkpoint> {
  const whole = await wholeBody(body, (hash) => store.blob(hash));
  return { ...EMPTY_CHECKPOINT, ...(whole.kind === 'document' ? (whole.content as Checkpoint) : {}) };
}
