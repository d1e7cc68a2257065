import { CheckpointList, type SummaryLine } from '../record/index.ts';
import type { Checkpoint } from './fold-checkpoint.ts';
import { bareWords, sameLine } from './same-line.ts';

export interface CheckpointChange {
  readonly list: CheckpointList;
  readonly change: 'added' | 'removed' | 'reworded';
  readonly text: string;
  /** How it was worded before. */
  readonly was?: string;
}

/** What changed from one checkpoint to another, list by list. */
export function diffCheckpoints(before: Checkpoint, after: Checkpoint): CheckpointChange[] {
  return CheckpointList.options.flatMap((list) => {
    const { added, removed, reworded } = pairLines(before[list], after[list]);
    const old = new Map(reworded.map(([was, line]) => [line, was.text]));
    const fresh = new Set(added);
    return [
      ...after[list].flatMap((line): CheckpointChange[] => {
        const was = old.get(line);
        if (was !== undefined) return [{ list, change: 'reworded', text: line.text, was }];
        return fresh.has(line) ? [{ list, change: 'added', text: line.text }] : [];
      }),
      ...removed.map(({ text }): CheckpointChange => ({ list, change: 'removed', text })),
    ];
  });
}

interface PairedLines {
  readonly added: readonly SummaryLine[];
  readonly removed: readonly SummaryLine[];
  /** The old line, and the new one that says the same in other words. */
  readonly reworded: readonly (readonly [SummaryLine, SummaryLine])[];
}

/** Which line became which, each one once: by its very words first, then but for case, then by saying the same. */
export function pairLines(before: readonly SummaryLine[], after: readonly SummaryLine[]): PairedLines {
  const exact = pairBy(({ text }) => text, before, after);
  const near = pairBy(({ text }) => bareWords(text), exact.before, exact.after);
  const free = [...near.before];
  const reworded = [...near.pairs];
  const added: SummaryLine[] = [];
  for (const line of near.after) {
    const index = free.findIndex(({ text }) => sameLine(text, line.text));
    if (index < 0) added.push(line);
    else reworded.push([free.splice(index, 1)[0]!, line]);
  }
  return { added, removed: free, reworded };
}

function pairBy(
  key: (line: SummaryLine) => string,
  before: readonly SummaryLine[],
  after: readonly SummaryLine[],
): { pairs: [SummaryLine, SummaryLine][]; before: SummaryLine[]; after: SummaryLine[] } {
  const waiting = Map.groupBy(before, key);
  const pairs: [SummaryLine, SummaryLine][] = [];
  const rest = after.filter((line) => {
    const old = waiting.get(key(line))?.shift();
    if (old) pairs.push([old, line]);
    return !old;
  });
  const left = new Set([...waiting.values()].flat());
  return { pairs, before: before.filter((line) => left.has(line)), after: rest };
}
