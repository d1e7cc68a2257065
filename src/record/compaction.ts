import { z } from 'zod';
import { EntryId } from './entry-id.ts';
import { CheckpointList } from './merge.ts';
import { Part } from './message.ts';
import { Seq } from './seq.ts';
import { Summary } from './summary.ts';
import { Usage } from './usage.ts';

export const SeqRange = z
  .strictObject({ from: Seq.min(1), to: Seq.min(1) })
  .refine(({ from, to }) => from <= to, {
    message: 'a range runs from the older seq to the newer one',
  });
export type SeqRange = z.infer<typeof SeqRange>;

/**
 * Who wrote a summary: the embedded digest, a model, a person, the program a transcript was imported from, or the provider that
 * made room for itself.
 */
export const Author = z.strictObject({
  kind: z.enum(['digest', 'model', 'person', 'import', 'provider']),
  model: z.string().optional(),
  /** Version of the digest's rules or of the prompt that was used. */
  version: z.string().optional(),
});
export type Author = z.infer<typeof Author>;

/**
 * Stands in for `covers` in the model's context. The entries it covers are not touched: expanding it puts them back.
 * Level 1 covers messages; a higher level merges its `children`, which stay readable under it.
 */
export const Compaction = z.strictObject({
  kind: z.literal('compaction'),
  level: z.int().min(1),
  covers: SeqRange,
  children: z.array(EntryId),
  summary: Summary,
  tokensBefore: z.int().min(0),
  tokensAfter: z.int().min(0),
  by: Author,
  /** Share of the range's hard items (paths, identifiers, figures, names) still found in the summary, 0 to 1. */
  retention: z.number().min(0).max(1),
  usage: Usage.optional(),
  instructions: z.string().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type Compaction = z.infer<typeof Compaction>;

/** The summary that a provider made itself, as it wants it back: in `meta.native` of the compaction that it wrote. */
export const NativeBlock = z.object({
  /** `provider:model`. To any other model the block says nothing. */
  model: z.string(),
  /** The log up to here is in it. */
  upTo: Seq,
  part: Part,
});
export type NativeBlock = z.infer<typeof NativeBlock>;

export function nativeBlockIn({ by, meta }: Compaction): NativeBlock | undefined {
  return by.kind === 'provider' ? NativeBlock.safeParse(meta?.native).data : undefined;
}

/** How a model was asked for a summary: in `meta.call` of the compaction. */
export const SummaryCall = z.object({
  /** `chat`: as one more request of the chat, behind all that the provider has read already. `own`: in a separate request. */
  as: z.enum(['chat', 'own']),
  because: z.enum([
    'cached',
    'cheaper',
    'cold',
    'dearer',
    'no-room',
    'not-asked-before',
    'changed',
    'shortened',
    'not-in-sight',
    'called-tools',
    'unusable',
    'refused',
  ]),
  /** Tokens of the request as they were estimated, and how many of them the request before it began with. */
  tokens: z.number().min(0).optional(),
  shared: z.number().min(0).optional(),
});
export type SummaryCall = z.infer<typeof SummaryCall>;

export function summaryCallIn(meta: Compaction['meta']): SummaryCall | undefined {
  return SummaryCall.safeParse(meta?.call).data;
}

/** A line that a person took out of a summary or wrote anew, and the entries that it came from: in `meta.dropped`. */
export const DroppedLine = z.object({
  list: z.enum([...CheckpointList.options, 'files']),
  text: z.string(),
  from: z.array(EntryId),
});
export type DroppedLine = z.infer<typeof DroppedLine>;

export function droppedIn(meta: Compaction['meta']): readonly DroppedLine[] {
  return z.array(DroppedLine).safeParse(meta?.dropped).data ?? [];
}

/**
 * Why a session was compacted automatically: in `meta.why` of the compaction. Tokens as the provider counts them, and US
 * dollars.
 */
export const CompactionReason = z.object({
  because: z.enum(['tokens', 'lines', 'cost', 'cold']),
  context: z.number().min(0),
  trigger: z.number().min(0),
  /** What a turn cost before and behind it. */
  turn: z.object({ before: z.number(), after: z.number() }).optional(),
  /** Of the summary, and of the tokens read anew because of it. */
  cost: z.number().optional(),
  /** After how many turns it has paid for itself. */
  pays: z.number().min(0).optional(),
});
export type CompactionReason = z.infer<typeof CompactionReason>;
