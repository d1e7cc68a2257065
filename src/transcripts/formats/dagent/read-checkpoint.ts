import { emptySummary, type Loop } from '../../../record/index.ts';
import { type CheckpointFile, readCheckpointFile } from '../../../summary/index.ts';
import { countOf, fieldsOf, isFields, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { FoundCompaction } from '../../transcript.ts';
import { readKnown } from './known.ts';

/** The content of a `checkpoint_….json`: its summary, as a compaction of everything before the chat, and its loop. */
interface ReadCheckpoint {
  /** Absent while every list is empty: the file is there from the first message on. */
  readonly compaction?: FoundCompaction;
  readonly loop?: Loop;
  readonly misshapen: boolean;
}

export function readDagentCheckpoint(checkpoint: Fields): ReadCheckpoint {
  const loop = loopOf(fieldsOf(checkpoint.ralphLoop));
  const { summary } = checkpoint;
  if (!isFields(summary)) return { ...(loop && { loop }), misshapen: true };
  const { completed, pending, decisions, blockers } = readCheckpointFile({ summary: strings(summary) });
  const known = readKnown(checkpoint);
  if ([...Object.values(summary), ...Object.values(known)].every(isEmpty))
    return { ...(loop && { loop }), misshapen: false };
  const before = countOf(fieldsOf(checkpoint.tokens).lastCompactionInput);
  const compaction: FoundCompaction = {
    kind: 'found-compaction',
    text: JSON.stringify(summary),
    summary: {
      ...emptySummary(),
      ...known,
      completed: [...completed],
      pending: [...pending],
      decisions: [...decisions],
      blockers: [...blockers],
    },
    ...(before !== undefined && { tokensBefore: before }),
  };
  return { compaction, ...(loop && { loop }), misshapen: false };
}

function isEmpty(held: unknown): boolean {
  return (Array.isArray(held) || typeof held === 'string') && held.length === 0;
}

/** Lists of anything, as lists of texts. */
function strings(summary: Fields): CheckpointFile['summary'] {
  const list = (name: string) => {
    const items = summary[name];
    return Array.isArray(items) ? items.filter((item): item is string => typeof item === 'string') : [];
  };
  return {
    completedItems: list('completedItems'),
    pendingItems: list('pendingItems'),
    decisions: list('decisions'),
    blockers: list('blockers'),
  };
}

function loopOf({ currentIteration, passedChecks, failedChecks, lastError }: Fields): Loop | undefined {
  if (countOf(currentIteration) === undefined) return undefined;
  const names = (list: unknown) => (Array.isArray(list) ? list.map(String) : []);
  return {
    kind: 'loop',
    iteration: Math.floor(currentIteration as number),
    passed: names(passedChecks),
    failed: names(failedChecks),
    lastError: textOf(lastError) ?? null,
  };
}
