import { ThroughlineError } from '../errors.ts';
import {
  type Entry,
  type EntryId,
  emptySummary,
  type Merge,
  type MergeRule,
  type SessionInfo,
  type SettledConflict,
  titleOf,
} from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { retryOnHeadMoved, type Store } from '../store/index.ts';
import { finishesTask } from '../summary/index.ts';
import { type BranchComparison, compareBranches } from './compare-branches.ts';
import {
  type DescribedChange,
  type DescribedComparison,
  describeChange,
  describeComparison,
  locateLines,
} from './describe-comparison.ts';
import { type Patch, type Settlement, settleConflicts } from './settle-conflicts.ts';

export interface SettleBy {
  /** Settles every conflict that `choices` does not name. */
  readonly rule?: MergeRule | undefined;
  /** What a person chose, by the number of the conflict. */
  readonly choices?: ReadonlyMap<number, MergeRule> | undefined;
  /** What a person does not want of what comes without a conflict, by its number in `brings`. */
  readonly leave?: ReadonlySet<number> | undefined;
}

export interface MergeOptions extends SettleBy {
  /** The plan that was seen. If the merge would do something else by now, it is `merge-stale`. */
  readonly plan?: string | undefined;
}

/** What a merge would do, before anything is written. */
export interface MergePreview extends DescribedComparison {
  /** The branch says nothing that the session has not heard. */
  readonly nothing: boolean;
  /** What the branch changed and the session did not, numbered from 1. */
  readonly brings: readonly (DescribedChange & { readonly number: number })[];
  readonly patch: Patch;
  readonly settled: readonly SettledConflict[];
  /** Numbers of the conflicts that are still to be settled. */
  readonly open: readonly number[];
  readonly left: Settlement['left'];
}

export interface MergeResult extends MergePreview {
  /** The entry that holds the merge; absent if there was nothing to merge. */
  readonly entry?: Entry;
}

/** What merging a branch into a session would bring, drop and ask. Writes nothing. */
export async function previewMerge(
  store: Store,
  into: SessionInfo,
  branch: SessionInfo,
  settle: SettleBy = {},
): Promise<MergePreview> {
  return (await prepare(store, { into, branch, settle })).preview;
}

/**
 * Brings what a branch came to into a session: one entry, a patch to its checkpoint, if the plan still holds. A repeated merge
 * writes nothing. A conflict that neither a person nor a rule settles is `merge-conflict`.
 */
export async function mergeBranch(
  session: Session,
  branch: SessionInfo,
  { plan, ...settle }: MergeOptions = {},
): Promise<MergeResult> {
  const { store } = session;
  let seen = plan;
  return retryOnHeadMoved(async () => {
    const into = await session.refresh();
    const newest = (await store.session(branch.id)) ?? branch;
    const { preview, comparison, settlement } = await prepare(store, { into, branch: newest, settle });
    if (seen !== undefined && preview.plan !== seen) throw stale(preview);
    if (preview.nothing) return preview;
    if (preview.open.length > 0) throw unsettled(preview);
    seen = preview.plan;
    const [entry] = await session.append([mergeBody(comparison, settlement)], { expectedHead: into.head });
    return { ...preview, entry: entry! };
  });
}

/** Takes a merge back: its lines leave the context and the checkpoint, and the branch can be merged anew. */
export async function undoMerge(session: Session, entry: EntryId): Promise<void> {
  const { body } = await session.entry(entry);
  if (body.kind !== 'merge') {
    throw new ThroughlineError('entry-not-found', `Entry ${entry} of session "${session.id}" is no merge.`, {
      details: { session: session.id, entry },
    });
  }
  await session.append([{ kind: 'mark', mark: 'removed', target: { entry } }]);
}

interface Prepared {
  readonly comparison: BranchComparison;
  readonly settlement: Settlement;
  readonly preview: MergePreview;
}

async function prepare(
  store: Store,
  { into, branch, settle }: { into: SessionInfo; branch: SessionInfo; settle: SettleBy },
): Promise<Prepared> {
  if (into.id === branch.id) {
    throw new ThroughlineError('usage', `Session "${into.id}" cannot be merged into itself.`);
  }
  const comparison = await compareBranches(store, into, branch);
  const located = await locateLines(store, comparison);
  const timeOf = (ids: readonly EntryId[]) => {
    const times = ids.flatMap((id) => located.get(id)?.at ?? []);
    return times.length > 0 ? Math.max(...times) : undefined;
  };
  const settlement = settleConflicts(comparison, comparison.checkpoints.ours, { ...settle, timeOf });
  const { patch, settled, open, left } = settlement;
  const described = describeComparison(comparison, located);
  const brings = comparison.clean.map((change, index) => ({
    number: index + 1,
    ...describeChange({ ...change, side: 'theirs' }, located),
  }));
  const nothing = comparison.clean.length + comparison.conflicts.length + patch.files.length === 0;
  const numbers = open.map((conflict) => comparison.conflicts.indexOf(conflict) + 1);
  return {
    comparison,
    settlement,
    preview: { ...described, nothing, brings, patch, settled, open: numbers, left },
  };
}

function unsettled({ ours, theirs, plan, open, conflicts }: MergePreview): ThroughlineError {
  const count = open.length === 1 ? '1 conflict is' : `${open.length} conflicts are`;
  return new ThroughlineError(
    'merge-conflict',
    `Nothing was merged: ${count} not settled (${open.join(', ')}). Choose a side for each, or name a rule for all: ours, theirs, newest or both.`,
    {
      details: {
        into: ours.id,
        branch: theirs.id,
        plan,
        open,
        conflicts: conflicts.filter(({ number }) => open.includes(number)),
      },
    },
  );
}

function stale({ ours, theirs, plan }: MergePreview): ThroughlineError {
  return new ThroughlineError(
    'merge-stale',
    `Nothing was merged: "${ours.id}" or "${theirs.id}" went on since you looked, and the merge would now do something else. Look at it again.`,
    { details: { into: ours.id, branch: theirs.id, plan } },
  );
}

/** The body of a merge entry. */
function mergeBody(
  { sessions, since }: BranchComparison,
  { patch, settled, left }: Pick<Settlement, 'patch' | 'settled' | 'left'>,
): Merge {
  const { added, dropped, files } = patch;
  const lists = Object.entries(added).map(([list, lines]) => [list, lines.map(copyLine)]);
  return {
    kind: 'merge',
    branch: sessions.theirs.id,
    head: sessions.theirs.head,
    since: { session: since.session, seq: since.seq },
    summary: {
      ...emptySummary(overviewOf(sessions.theirs, patch)),
      ...Object.fromEntries(lists),
      files: files.map((file) => ({ ...file })),
    },
    dropped: [...dropped],
    left: [...left],
    conflicts: [...settled],
  };
}

function copyLine({ text, from }: { text: string; from: readonly string[] }) {
  return { text, from: [...from] };
}

const LONGEST_TITLE = 80;

/** In a sentence or two, for readers of the summary: where it is from, and what holds no longer. */
function overviewOf({ id, state }: SessionInfo, { added, dropped }: Patch): string {
  const title = [...titleOf(state)].slice(0, LONGEST_TITLE).join('');
  const name = title ? `"${title}" (${id})` : id;
  // Finished tasks are named by the completed lines.
  const open = dropped.filter(({ text }) => !added.completed.some((done) => finishesTask(done.text, text)));
  const lines = open.map(({ text }) => text.replace(/[.!。]+$/, ''));
  const gone = lines.length > 0 ? ` No longer so: ${lines.join('; ')}.` : '';
  return `What the branch ${name} came to.${gone}`;
}
