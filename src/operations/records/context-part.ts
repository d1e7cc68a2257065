import { z } from 'zod';

export const ContextPart = z.strictObject({ part: z.string(), tokens: z.int() });

export const LeftOut = z.strictObject({
  what: z.string(),
  entries: z.int(),
  tokens: z.int(),
  reason: z.string(),
});
