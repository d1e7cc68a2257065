import { z } from 'zod';

/** One document as it is from now on; a later entry with the same `id` replaces it. `content: null` removes it. */
export const Document = z.strictObject({
  kind: z.literal('document'),
  id: z.string().min(1),
  title: z.string(),
  content: z.unknown(),
  mediaType: z.string().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type Document = z.infer<typeof Document>;
