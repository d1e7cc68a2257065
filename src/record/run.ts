import { z } from 'zod';
import { EntryId } from './entry-id.ts';
import { Part } from './message.ts';

/** An input that came while another turn was running: it is safe, and becomes a message when its turn comes. */
export const WaitingInput = z.strictObject({
  kind: z.literal('run'),
  step: z.literal('waiting'),
  /** The id that the message will have. */
  input: EntryId,
  parts: z.array(Part),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type WaitingInput = z.infer<typeof WaitingInput>;

/** A tool is about to run. Without a result of this id behind it, nobody knows whether it did. */
export const StartedTool = z.strictObject({
  kind: z.literal('run'),
  step: z.literal('started'),
  answer: EntryId,
  call: z.string(),
  tool: z.string(),
  /** The id that the result will have. */
  result: EntryId,
});
export type StartedTool = z.infer<typeof StartedTool>;

/** What an answer grew by since the last one of these, while it is being streamed. */
export const PartialAnswer = z.strictObject({
  kind: z.literal('run'),
  step: z.literal('partial'),
  /** The id that the message will have. */
  answer: EntryId,
  model: z.string().optional(),
  /** Each with the place in the answer that it belongs to. */
  parts: z.array(z.looseObject({ at: z.int().min(0), type: z.string() })),
});
export type PartialAnswer = z.infer<typeof PartialAnswer>;

/**
 * What a turn writes down besides what is said, so that recovery is a lookup: an intent before its effect, under the ids
 * that the effect will have. Nothing of it reaches a context; what counts is in the messages.
 */
export const Run = z.discriminatedUnion('step', [WaitingInput, StartedTool, PartialAnswer]);
export type Run = z.infer<typeof Run>;

const STEPS = ['waiting', 'started', 'partial'];

/** A step that this version does not know is kept; one that it knows has to be whole. */
export const ReadableRun = z.union([
  z.discriminatedUnion('step', [WaitingInput.loose(), StartedTool.loose(), PartialAnswer.loose()]),
  z.looseObject({ kind: z.literal('run'), step: z.string().refine((step) => !STEPS.includes(step)) }),
]);
