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

/** A tool is about to run. Without a result of this id behind it, that is unknown. */
export const StartedTool = z.strictObject({
  kind: z.literal('run'),
  step: z.literal('started'),
  answer: EntryId,
  call: z.string(),
  tool: z.string(),
  /** Running it a second time does no harm, so without a result it runs again when the turn goes on. */
  repeatable: z.literal(true).optional(),
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

/** How a turn was cut: by a person, by a process that stopped or died, or by a provider. */
export const CutBy = z.enum(['person', 'shutdown', 'crash', 'provider']);
export type CutBy = z.infer<typeof CutBy>;

/** Why a turn failed: the code of the error and its sentence. */
export const TurnFailure = z.strictObject({ code: z.string(), message: z.string() });
export type TurnFailure = z.infer<typeof TurnFailure>;

/** A turn ended without a whole answer. A turn with a whole answer needs no such note. */
export const EndedTurn = z.strictObject({
  kind: z.literal('run'),
  step: z.literal('ended'),
  /** The id of the question. */
  turn: EntryId,
  status: z.enum(['interrupted', 'failed', 'step-limit']),
  by: CutBy.optional(),
  error: TurnFailure.optional(),
});
export type EndedTurn = z.infer<typeof EndedTurn>;

/** A turn that had ended without a whole answer is run again. */
const BegunTurn = z.strictObject({
  kind: z.literal('run'),
  step: z.literal('begun'),
  turn: EntryId,
});

/** A message for a turn that is running. It becomes a user message before the next request of that turn. */
export const SteeringInput = z.strictObject({
  kind: z.literal('run'),
  step: z.literal('steering'),
  turn: EntryId,
  /** The id that the message will have. */
  input: EntryId,
  parts: z.array(Part),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type SteeringInput = z.infer<typeof SteeringInput>;

const STEPS = ['waiting', 'started', 'partial', 'ended', 'begun', 'steering'];

/**
 * The notes of a turn besides its messages, so that recovery is a lookup: an intent before its effect, under the ids that the
 * effect will have. Nothing of it reaches a context; what counts is in the messages.
 */
export const Run = z.discriminatedUnion('step', [
  WaitingInput,
  StartedTool,
  PartialAnswer,
  EndedTurn,
  BegunTurn,
  SteeringInput,
]);
export type Run = z.infer<typeof Run>;

/** A step that this version does not know is kept; one that it knows has to be whole. */
export const ReadableRun = z.union([
  z.discriminatedUnion('step', [
    WaitingInput.loose(),
    StartedTool.loose(),
    PartialAnswer.loose(),
    EndedTurn.loose(),
    BegunTurn.loose(),
    SteeringInput.loose(),
  ]),
  z.looseObject({
    kind: z.literal('run'),
    step: z.string().refine((step) => !STEPS.includes(step)),
  }),
]);
