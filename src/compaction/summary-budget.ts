import { foreignRoom, partForeign } from './foreign-summaries.ts';
import type { CompactionPlan } from './plan-compaction.ts';

/** Room that a summary of short talk needs to say all that was settled in it. */
const LEAST_SUMMARY_TOKENS = 600;
/**
 * A sixth of the replaced tokens, until that is more than a model reads with attention; of a long range a small share more.
 */
const SHARE = 1 / 6;
const MUCH = 2_000;
const SHARE_OF_LONG = 0.03;
const MOST_SUMMARY_TOKENS = 6_000;
/** Summaries say little that can be left out: one that takes the place of several keeps most of their lines. */
const SHARE_OF_SUMMARIES = 0.6;
/** A summary must save something, also of a few messages in which every line settles something. */
const MOST_OF_BEFORE = 0.6;

interface SummaryBudget {
  readonly maxTokens: number;
  /** For what other programs' summaries said, beside that. */
  readonly foreignTokens: number;
}

/** What a summary may take, by what its room buys: see the measurements in docs/benchmarks.md. */
export function summaryBudget(
  { tokensBefore, entries }: Pick<CompactionPlan, 'tokensBefore' | 'entries'>,
  { summaryTokens = MOST_SUMMARY_TOKENS }: { readonly summaryTokens?: number },
): SummaryBudget {
  const merges = entries.every(({ body }) => body.kind === 'compaction');
  const theirs = partForeign(entries).foreignTokens;
  const foreignTokens = Math.min(theirs, foreignRoom(summaryTokens));
  const own = tokensBefore - theirs;
  const share = merges ? SHARE_OF_SUMMARIES : SHARE;
  const most = Math.max(MUCH, own * SHARE_OF_LONG);
  const wanted = Math.max(LEAST_SUMMARY_TOKENS, Math.min(own * share, most));
  const room = Math.min(summaryTokens, MOST_SUMMARY_TOKENS);
  return { maxTokens: Math.floor(Math.min(room, wanted, own * MOST_OF_BEFORE)), foreignTokens };
}
