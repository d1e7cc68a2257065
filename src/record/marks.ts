import { z } from 'zod';
import { SeqRange } from './compaction.ts';
import { EntryId } from './entry-id.ts';
import { Part } from './message.ts';
import { SessionId } from './session-id.ts';
import { Summary } from './summary.ts';
import { Usage } from './usage.ts';

/** What a mark points at: one entry, or every entry of a range. */
export const Target = z.union([z.strictObject({ entry: EntryId }), SeqRange]);
export type Target = z.infer<typeof Target>;

/** Says something about older entries without changing them. A later mark on the same target wins. */
export const Mark = z.strictObject({
  kind: z.literal('mark'),
  target: Target,
  mark: z.enum(['pinned', 'unpinned', 'excluded', 'included', 'expanded', 'collapsed', 'removed']),
});
export type Mark = z.infer<typeof Mark>;

/** What the agent said to the restored summary. Its tokens are counted, but it is not a query. */
export const Acknowledgement = z.strictObject({
  parts: z.array(Part),
  model: z.string().optional(),
  usage: Usage.optional(),
  durationMs: z.number().min(0).optional(),
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** How a resumed session starts: its parent's summary, and nothing older (n−1). */
export const Restoration = z.strictObject({
  kind: z.literal('restoration'),
  parent: SessionId,
  summary: Summary,
  /** The parent's counts, as they were then, for people. */
  queries: z.int().min(0).optional(),
  tokens: z.int().min(0).optional(),
  acknowledgement: Acknowledgement.optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type Restoration = z.infer<typeof Restoration>;
