import type { SummaryLine } from '../record/index.ts';
import { type CheckpointChange, type CheckpointList, diffCheckpoints } from './diff-checkpoints.ts';
import { type Checkpoint, mergeLines } from './fold-checkpoint.ts';
import { sameLine } from './same-line.ts';

/** Both sides changed the same line, in different ways. Somebody has to say which one holds. */
export interface MergeConflict {
  readonly list: CheckpointList;
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

export interface MergedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly conflicts: readonly MergeConflict[];
}

/** `ours` and `theirs` settle every conflict; without a rule the conflicting lines stay as ours has them and are reported. */
export type MergeRule = 'ours' | 'theirs' | 'both';

/**
 * Brings what a branch concluded home: its changes since the fork are applied to ours. Never a silent union: a line that
 * both sides changed differently is a conflict, shown with all three wordings.
 */
export function mergeCheckpoints(
  { base, ours, theirs }: { base: Checkpoint; ours: Checkpoint; theirs: Checkpoint },
  rule?: MergeRule,
): MergedCheckpoint {
  const mine = diffCheckpoints(base, ours);
  const conflicts: MergeConflict[] = [];
  let checkpoint = ours;
  for (const change of diffCheckpoints(base, theirs)) {
    const clash = findClash(change, mine, base);
    if (clash) conflicts.push(clash);
    if (!clash || rule === 'theirs' || rule === 'both')
      checkpoint = apply(checkpoint, change, { clash, theirs, rule });
  }
  return { checkpoint, conflicts: rule ? [] : conflicts };
}

function findClash(
  change: CheckpointChange,
  mine: readonly CheckpointChange[],
  base: Checkpoint,
): MergeConflict | undefined {
  const about = change.was ?? change.text;
  const other = mine.find((own) => own.list === change.list && sameLine(own.was ?? own.text, about));
  if (!other || (other.change === change.change && other.text === change.text)) return undefined;
  const wording = ({ change: what, text }: CheckpointChange) => (what === 'removed' ? undefined : text);
  const original = base[change.list].find((line) => sameLine(line.text, about))?.text;
  return { list: change.list, base: original, ours: wording(other), theirs: wording(change) };
}

function apply(
  checkpoint: Checkpoint,
  { list, change, text, was }: CheckpointChange,
  {
    clash,
    theirs,
    rule,
  }: { clash: MergeConflict | undefined; theirs: Checkpoint; rule: MergeRule | undefined },
): Checkpoint {
  const lines = checkpoint[list];
  const line = theirs[list].find((candidate) => candidate.text === text);
  if (change === 'removed') {
    if (rule === 'both') return checkpoint;
    return { ...checkpoint, [list]: without(lines, text) };
  }
  if (!line) return checkpoint;
  if (clash && rule === 'both') return { ...checkpoint, [list]: [...lines, line] };
  return {
    ...checkpoint,
    [list]: mergeLines(was ? lines.map((own) => (sameLine(own.text, was) ? line : own)) : lines, [line]),
  };
}

function without(lines: readonly SummaryLine[], text: string): SummaryLine[] {
  return lines.filter((line) => !sameLine(line.text, text));
}
