import { z } from 'zod';
import { Json } from './json.ts';

/**
 * One changed setting. `settings.ts` lists the names that are ours, with their schemas; hosts may use others. `null` clears.
 * A title that a user gave is never changed by `host` or `auto`.
 */
export const Setting = z.strictObject({
  kind: z.literal('setting'),
  name: z.string().min(1),
  value: Json,
  by: z.enum(['user', 'host', 'auto']),
});
export type Setting = z.infer<typeof Setting>;
