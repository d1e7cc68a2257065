import type { Loop, SummaryLine } from '../record/index.ts';
import { countText } from '../tokens/index.ts';
import { type Checkpoint, EMPTY_CHECKPOINT } from './fold-checkpoint.ts';
import { readLine, sayLine } from './render-summary.ts';

/** A checkpoint as orchestrators store it beside a session. */
export interface CheckpointFile {
  sessionId: string;
  /** Counts the compactions. */
  version: number;
  createdAt: string;
  updatedAt: string;
  summary: { completedItems: string[]; pendingItems: string[]; decisions: string[]; blockers: string[] };
  ralphLoop?: {
    currentIteration: number;
    passedChecks: string[];
    failedChecks: string[];
    lastError?: string;
  };
  tokens: { checkpoint: number; lastCompactionInput: number; totalSaved: number };
}

interface CheckpointFacts {
  readonly sessionId: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly loop?: Loop;
  readonly lastCompactionInput: number;
  readonly totalSaved: number;
}

export function writeCheckpointFile(checkpoint: Checkpoint, facts: CheckpointFacts): CheckpointFile {
  const { sessionId, version, createdAt, updatedAt, loop, lastCompactionInput, totalSaved } = facts;
  const summary = {
    completedItems: texts(checkpoint.completed),
    pendingItems: texts(checkpoint.pending),
    decisions: texts(checkpoint.decisions),
    blockers: texts(checkpoint.blockers),
  };
  return {
    sessionId,
    version,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    summary,
    ...(loop && { ralphLoop: loopOf(loop) }),
    tokens: { checkpoint: countText(JSON.stringify(summary)), lastCompactionInput, totalSaved },
  };
}

export function readCheckpointFile({ summary }: Pick<CheckpointFile, 'summary'>): Checkpoint {
  return {
    ...EMPTY_CHECKPOINT,
    completed: lines(summary.completedItems),
    pending: lines(summary.pendingItems),
    decisions: lines(summary.decisions),
    blockers: lines(summary.blockers),
  };
}

function loopOf({ iteration, passed, failed, lastError }: Loop): NonNullable<CheckpointFile['ralphLoop']> {
  return {
    currentIteration: iteration,
    passedChecks: [...passed],
    failedChecks: [...failed],
    ...(lastError !== null && { lastError }),
  };
}

function texts(list: readonly SummaryLine[]): string[] {
  return list.map(sayLine);
}

function lines(list: readonly string[] = []): SummaryLine[] {
  return list.map((text) => readLine(text));
}
