import { z } from 'zod';

/** One to-do as it is from now on; a later entry with the same `id` replaces it. */
export const Todo = z.strictObject({
  kind: z.literal('todo'),
  id: z.string().min(1),
  text: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'removed']),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type Todo = z.infer<typeof Todo>;
