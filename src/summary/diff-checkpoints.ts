import type { SummaryLine } from '../record/index.ts';
import type { Checkpoint } from './fold-checkpoint.ts';
import { sameLine } from './same-line.ts';

const LISTS = ['completed', 'pending', 'decisions', 'blockers', 'facts'] as const;
export type CheckpointList = (typeof LISTS)[number];

export interface CheckpointChange {
  readonly list: CheckpointList;
  readonly change: 'added' | 'removed' | 'reworded';
  readonly text: string;
  /** How it was worded before. */
  readonly was?: string;
}

/** What changed from one checkpoint to another, list by list. */
export function diffCheckpoints(before: Checkpoint, after: Checkpoint): CheckpointChange[] {
  return LISTS.flatMap((list) => diffList(list, before[list], after[list]));
}

function diffList(
  list: CheckpointList,
  before: readonly SummaryLine[],
  after: readonly SummaryLine[],
): CheckpointChange[] {
  const find = (lines: readonly SummaryLine[], text: string) =>
    lines.find((line) => sameLine(line.text, text));
  const added = after.flatMap(({ text }): CheckpointChange[] => {
    const known = find(before, text);
    if (!known) return [{ list, change: 'added', text }];
    return known.text === text ? [] : [{ list, change: 'reworded', text, was: known.text }];
  });
  const removed = before.flatMap(({ text }): CheckpointChange[] =>
    find(after, text) ? [] : [{ list, change: 'removed', text }],
  );
  return [...added, ...removed];
}
