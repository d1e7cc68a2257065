import { z } from 'zod';

/** Where a work loop stands after one iteration. */
export const Loop = z.strictObject({
  kind: z.literal('loop'),
  iteration: z.int().min(0),
  passed: z.array(z.string()),
  failed: z.array(z.string()),
  lastError: z.string().nullable(),
});
export type Loop = z.infer<typeof Loop>;
