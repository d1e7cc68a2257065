import { z } from 'zod';
import type { Original } from '../../recollection/index.ts';

export const OriginalRecord = z.strictObject({
  session: z.string(),
  entry: z.string(),
  seq: z.int(),
  at: z.number(),
  role: z.string().describe('The speaker; the kind of the entry if it is no message.'),
  text: z.string(),
  length: z.int().describe('Of the whole text, in characters.'),
  nextOffset: z.int().exactOptional().describe('Where to read on, if `text` is not all.'),
}) satisfies z.ZodType<Original>;

export const MaxTokensField = z
  .int()
  .min(100)
  .max(10_000)
  .default(2000)
  .describe('How long the answer may be; 2,000 tokens unless given.');
