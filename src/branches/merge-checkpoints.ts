import { type EntryId, emptySummary, entryIdTime, type MergeRule } from '../record/index.ts';
import { applyMerge, type Checkpoint } from '../summary/index.ts';
import {
  type Comparison,
  type Conflict,
  compareCheckpoints,
  type ThreeCheckpoints,
} from './compare-checkpoints.ts';
import { type Patch, type Settlement, settleConflicts } from './settle-conflicts.ts';

interface MergedCheckpoint extends Settlement {
  readonly checkpoint: Checkpoint;
  readonly comparison: Comparison;
  /** Those that are still open: ours has its own line there. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Brings what a branch concluded home: its changes since the base are applied to ours. Never a silent union: what both
 * sides changed differently is a conflict, which a rule settles or which stays open and is reported.
 */
export function mergeCheckpoints(three: ThreeCheckpoints, rule?: MergeRule): MergedCheckpoint {
  const comparison = compareCheckpoints(three);
  const settlement = settleConflicts(comparison, three.ours, { rule, timeOf: timeByIds });
  const checkpoint = applyPatch(three.ours, settlement.patch);
  return { checkpoint, comparison, ...settlement, conflicts: settlement.open };
}

function applyPatch(checkpoint: Checkpoint, { added, dropped, files }: Patch): Checkpoint {
  const lists = Object.entries(added).map(([list, lines]) => [list, [...lines]]);
  const summary = { ...emptySummary(), ...Object.fromEntries(lists), files: [...files] };
  return applyMerge(checkpoint, { merge: { summary, dropped: [...dropped] } });
}

/** Version 7 ids tell when they were made. */
function timeByIds(ids: readonly EntryId[]): number | undefined {
  const times = ids.flatMap((id) => entryIdTime(id) ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
}
