import { emptySummary, type Summary, type SummaryLine } from '../record/index.ts';
import type { Checkpoint } from './fold-checkpoint.ts';
import { readLine, sayLine } from './render-summary.ts';

/** What an agent carries from run to run: the checkpoint, the newest messages, and how much of the budget they take. */
export interface WorkingSet {
  summary: string;
  pinned_facts: string[];
  decisions: string[];
  open_tasks: string[];
  files_touched: string[];
  recent_messages: { role: string; content: string }[];
  token_budget: { used: number; limit: number };
}

export function writeWorkingSet(
  checkpoint: Checkpoint,
  {
    summary,
    pinned = [],
    recent = [],
    tokens,
  }: {
    summary: string;
    /** Texts that a person pinned: always there, first. */
    pinned?: readonly string[];
    recent?: readonly { role: string; content: string }[];
    tokens: { used: number; limit: number };
  },
): WorkingSet {
  return {
    summary,
    pinned_facts: [...new Set([...pinned, ...texts(checkpoint.facts)])],
    decisions: texts(checkpoint.decisions),
    open_tasks: texts(checkpoint.pending),
    files_touched: checkpoint.files.map(({ path }) => path),
    recent_messages: recent.map(({ role, content }) => ({ role, content })),
    token_budget: { ...tokens },
  };
}

/** The summary that a working set of another program holds. */
export function readWorkingSet(set: Partial<WorkingSet>): Summary {
  return {
    ...emptySummary(set.summary ?? ''),
    facts: lines(set.pinned_facts),
    decisions: lines(set.decisions),
    pending: lines(set.open_tasks),
    files: (set.files_touched ?? []).map((path) => ({ path, operations: [] })),
  };
}

function texts(list: readonly SummaryLine[]): string[] {
  return list.map(sayLine);
}

function lines(list: readonly string[] = []): SummaryLine[] {
  return list.map((text) => readLine(text));
}
