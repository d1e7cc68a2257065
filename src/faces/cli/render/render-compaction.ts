import type { CompactionPreview, CompactionResult } from '../../../compaction/index.ts';
import { sayCount, sayDollars, sayTokenCount } from '../../../text/index.ts';
import { visibleText } from '../terminal/visible-text.ts';

export function renderPreview({
  covers,
  summarised,
  kept,
  leftOut,
  summaryTokens,
  merges,
  context,
  cost,
}: Omit<CompactionPreview, 'kept'> & {
  readonly context?: Sizes | undefined;
  readonly cost?: Cost | null | undefined;
  readonly kept: { readonly messages: number; readonly tokens: number; readonly asked?: number | undefined };
}): string[] {
  const also =
    summarised.compactions > 0
      ? ` and ${sayCount(summarised.compactions, 'earlier summary', 'earlier summaries')}`
      : '';
  return [
    `Entries ${covers.from} to ${covers.to} would be summarised:`,
    `  summarised  ${sayCount(summarised.messages, 'message')}${also}, ${sayTokenCount(summarised.tokens)} → at most ${sayTokenCount(summaryTokens)}`,
    `  kept        ${sayKept(kept)}, ${sayTokenCount(kept.tokens)}`,
    ...(leftOut.messages > 0
      ? [`  left out    ${sayCount(leftOut.messages, 'message')}, ${sayTokenCount(leftOut.tokens)}`]
      : []),
    ...(merges > 0
      ? [
          `  then        ${sayCount(merges, 'merge')} of older summaries, ${merges === 1 ? 'one more' : 'each one more'} to write`,
        ]
      : []),
    ...sayContext(context),
    ...sayMoney(cost),
    'Nothing was changed. Run it without --preview to do it.',
  ];
}

interface Sizes {
  readonly before: number;
  readonly after: number;
}

/** What a preview says of money. */
interface Cost {
  readonly model: string;
  readonly cold: boolean;
  readonly turn: Sizes;
  readonly writers: readonly {
    readonly by: string;
    readonly model?: string | undefined;
    readonly cost: number;
    readonly pays?: number | undefined;
  }[];
}

function sayContext(context: Sizes | undefined): string[] {
  return context
    ? [`  context     ${sayTokenCount(context.before)} → about ${sayTokenCount(context.after)}`]
    : [];
}

function sayMoney(cost: Cost | null | undefined): string[] {
  if (cost === undefined) return [];
  if (cost === null) return ['  cost        the price of the model is not known'];
  const { turn, writers, cold } = cost;
  const cache = cold ? ', its cache has expired' : '';
  return [
    `  a turn      ${sayDollars(turn.before)} → ${sayDollars(turn.after)} (${cost.model}${cache})`,
    ...writers.map(({ by, model, cost: paid, pays }) => {
      const who = by === 'digest' ? 'the digest' : by === 'provider' ? `${model}, by its provider` : model;
      const turns =
        pays === undefined
          ? 'does not pay'
          : pays === 0
            ? 'pays at once'
            : `pays after ${sayCount(pays, 'turn')}`;
      return `  costs       ${sayDollars(paid)} by ${visibleText(String(who))}: ${turns}`;
    }),
  ];
}

/** `12 messages (10, grown to whole turns)` */
function sayKept({
  messages,
  asked = messages,
}: {
  readonly messages: number;
  readonly asked?: number | undefined;
}): string {
  const grown = asked === 0 ? 'the newest turn' : `${asked}, grown to whole turns`;
  return `${sayCount(messages, 'message')}${asked < messages ? ` (${grown})` : ''}`;
}

/** The result of the operation, or of a compaction in this process. */
type Compacted = Omit<CompactionResult, 'by' | 'failures' | 'unfinished' | 'kept' | 'instead' | 'cost'> & {
  readonly cost?: number | undefined;
  readonly context?: Sizes | undefined;
  readonly kept: { readonly messages: number; readonly asked?: number | undefined };
  readonly by: { readonly kind: string; readonly model?: string | undefined };
  readonly failures: readonly Pick<CompactionResult['failures'][number], 'by' | 'reason'>[];
  readonly unfinished?: string | undefined;
  readonly instead?: string | undefined;
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
    kept,
    originalTokenCount,
    compressedTokenCount,
    retention,
    by,
    failures,
    instead,
    summary,
    unfinished,
    cost,
    context,
  } = result;
  const saved = originalTokenCount - compressedTokenCount;
  const who = by.kind === 'model' || by.kind === 'provider' ? by.model : 'the digest';
  return [
    ...visibleText(summary).split('\n'),
    '',
    `Summarised ${sayCount(messagesCompacted, 'message')}, kept ${sayKept(kept)}, saved about ${sayTokenCount(saved)} (by ${who}${cost === undefined ? '' : ` for ${sayDollars(cost)}`}; ${sayRetention(retention)}).`,
    ...sayShrunk(context),
    ...sayOthers(failures),
    ...(instead === undefined ? [] : [visibleText(instead)]),
    ...(unfinished === undefined ? [] : [visibleText(`Older summaries were not merged: ${unfinished}.`)]),
    `Undo: ${undo} ${compactionId.slice(0, 13)}`,
  ];
}

function sayShrunk(context: Sizes | undefined): string[] {
  return context
    ? [`The context has ${sayTokenCount(context.after)} now, and had ${sayTokenCount(context.before)}.`]
    : [];
}

/** Says what the score counts: `85 % of the names, paths and figures are still in it`. */
export function sayRetention(retention: number): string {
  return `${Math.round(retention * 100)} % of the names, paths and figures are still in it`;
}

/** The reason of the last failure is in the sentence about the writer that took over. */
function sayOthers(failures: Compacted['failures']): string[] {
  const lines = failures.map(({ by, reason }) => visibleText(`Not used: ${by}: ${reason}`));
  return [...new Set(lines)].filter((line) => line !== lines.at(-1));
}
