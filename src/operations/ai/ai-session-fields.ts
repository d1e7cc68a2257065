import { z } from 'zod';
import type { ChosenModel } from '../../models/index.ts';
import { CompactionNotice, ModelProblem } from '../fields.ts';

export const AiSessionField = z
  .string()
  .min(1)
  .max(200)
  .describe('From `ai/session/create` or `ai/session/resume`.');

/** An AI session that was opened. */
export const OpenedFields = {
  aiSessionId: z
    .string()
    .describe('For `ai/session/send`. It lives as long as the server; resume makes another.'),
  chatSessionId: z.string(),
  provider: z.string(),
  model: z.string(),
  contextWindow: z.int().describe("The model's window, in tokens."),
  modelProblem: ModelProblem,
};

export const Resumed = z.strictObject({
  ...OpenedFields,
  contextTokens: z
    .int()
    .describe(
      'Estimated tokens of the rebuilt context, head and tools included: what `chat/context/meter` gives without a question. The next question, and what is recalled for it, come on top.',
    ),
  messagesLoaded: z.int().describe('How many messages of the log are in it, whole or shortened.'),
  compactionsApplied: z
    .int()
    .describe(
      'How many stored summaries stand in it. A digest that is made to fit one request is not stored, and not among them.',
    ),
  autoCompacted: z.boolean().describe('Whether it was compacted just now, by its policy.'),
  compactionId: z
    .string()
    .optional()
    .describe('Of that compaction: `chat/compaction/delete` with `reactivate` undoes it.'),
  resumed: z
    .boolean()
    .optional()
    .describe(
      'Only for `agent-sdk`, and only if the next turn continues a session of the SDK: then `messagesLoaded` and `compactionsApplied` count what the SDK has not heard yet and is sent with that turn.',
    ),
  sdkSessionId: z.string().optional().describe('The id of that session of the SDK.'),
  sdkForked: z
    .literal(true)
    .optional()
    .describe(
      'The session of the SDK belongs to the chat session that this one was forked from. The next turn continues a copy of it, under an id of its own.',
    ),
  notice: CompactionNotice,
  unfinished: z
    .boolean()
    .describe(
      'The newest question has no whole answer, whatever cut it: `ai/session/continue` or `turn/retry` asks again.',
    ),
  waiting: z.int().describe('Messages that were accepted and had not begun; they run with the next one.'),
  running: z.boolean().describe('A turn is running in it right now.'),
});
export type Resumed = z.output<typeof Resumed>;

/** The model that answers, and if the session names another, why that one does not. */
export function tellModel({ provider, model, limits, problem }: ChosenModel) {
  return {
    provider,
    model,
    contextWindow: limits.window,
    ...(problem !== undefined && { modelProblem: problem }),
  };
}
