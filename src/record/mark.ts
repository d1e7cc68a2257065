import { z } from 'zod';
import { SeqRange } from './compaction.ts';
import { EntryId } from './entry-id.ts';

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
