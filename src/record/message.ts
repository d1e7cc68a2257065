import { z } from 'zod';
import { Usage } from './usage.ts';

/**
 * One part of a message: the AI SDK's model-message parts (`text`, `reasoning`, `file`, `tool-call`, `tool-result`)
 * and whatever comes after them. Only `type` is looked at here; every other field is kept as it came.
 */
export const Part: z.ZodType<Part> = z.looseObject({ type: z.string() });
export interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const Role = z.enum(['system', 'user', 'assistant', 'tool']);
export type Role = z.infer<typeof Role>;

/** What a person, a model or a tool said. `interrupted` is the part of an answer that was there when it stopped. */
export const Message = z.strictObject({
  kind: z.literal('message'),
  role: Role,
  parts: z.array(Part),
  status: z.enum(['complete', 'interrupted']).optional(),
  model: z.string().optional(),
  usage: Usage.optional(),
  durationMs: z.number().min(0).optional(),
  /** For hosts and importers: foreign ids, original lines. Kept, exported, never interpreted. */
  meta: z.record(z.string(), z.unknown()).optional(),
});
export interface Message {
  kind: 'message';
  role: Role;
  parts: readonly Part[];
  /** Absent means `complete`. */
  status?: 'complete' | 'interrupted' | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
  durationMs?: number | undefined;
  meta?: Readonly<Record<string, unknown>> | undefined;
}
