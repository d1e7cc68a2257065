import type { CompactionPreview, CompactionResult } from '../../compaction/index.ts';
import { visibleText } from '../terminal/visible-text.ts';

export function renderPreview({
  covers,
  summarised,
  kept,
  leftOut,
  summaryTokens,
  merges,
}: CompactionPreview): string[] {
  const also =
    summarised.compactions > 0
      ? ` and ${count(summarised.compactions, 'earlier summary', 'earlier summaries')}`
      : '';
  return [
    `Entries ${covers.from} to ${covers.to} would be summarised:`,
    `  summarised  ${count(summarised.messages, 'message')}${also}, ${tokens(summarised.tokens)} → at most ${tokens(summaryTokens)}`,
    `  kept        ${count(kept.messages, 'message')}, ${tokens(kept.tokens)}`,
    ...(leftOut.messages > 0
      ? [`  left out    ${count(leftOut.messages, 'message')}, ${tokens(leftOut.tokens)}`]
      : []),
    ...(merges > 0
      ? [
          `  then        ${count(merges, 'merge')} of older summaries, ${merges === 1 ? 'one more' : 'each one more'} to write`,
        ]
      : []),
    'Nothing was changed. Run it without --preview to do it.',
  ];
}

/** The result of the operation, or of a compaction in this process. */
type Compacted = Omit<CompactionResult, 'by' | 'failures' | 'unfinished'> & {
  readonly by: { readonly kind: string; readonly model?: string | undefined };
  readonly failures: readonly Pick<CompactionResult['failures'][number], 'by' | 'reason'>[];
  readonly unfinished?: string | undefined;
};

/** `undo` is the command that takes a compaction back where this is shown. */
export function renderCompaction(
  session: string,
  result: Compacted,
  { undo = `throughline expand ${session}` }: { undo?: string } = {},
): string[] {
  const {
    compactionId,
    messagesCompacted,
    originalTokenCount,
    compressedTokenCount,
    retention,
    by,
    failures,
    summary,
    unfinished,
  } = result;
  const saved = originalTokenCount - compressedTokenCount;
  const who = by.kind === 'model' ? by.model : 'the digest';
  return [
    ...visibleText(summary).split('\n'),
    '',
    `Summarised ${count(messagesCompacted, 'message')}, saved about ${tokens(saved)} (by ${who}, ${Math.round(retention * 100)} % of names, paths and figures kept).`,
    ...failures.map(({ by: tried, reason }) => visibleText(`Not used: ${tried}: ${reason}`)),
    ...(unfinished === undefined ? [] : [visibleText(`Older summaries were not merged: ${unfinished}.`)]),
    `Undo: ${undo} ${compactionId.slice(0, 13)}`,
  ];
}

export function tokens(amount: number): string {
  return amount < 10_000
    ? `${amount.toLocaleString('en')} tokens`
    : `${Math.round(amount / 1000).toLocaleString('en')}K tokens`;
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}
