import { z } from 'zod';
import {
  CompactionRecord,
  ContextPart,
  DocumentRecord,
  LeftOut,
  MessageRecord,
  ModelField,
  ModelProblem,
  NewIdField,
  ProviderField,
  SeqField,
  SessionField,
  SessionRecord,
  TodoRecord,
} from '../../operations/index.ts';
import { method } from './method.ts';

export const chatContext = {
  'chat/context/build': method({
    summary:
      'The raw data of a session, to build a context from or to look at: every active message, whatever its number.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.strictObject({
      sessionId: z.string(),
      context: z.strictObject({
        session: SessionRecord,
        messages: z.array(MessageRecord),
        documents: z.array(DocumentRecord),
        todos: z.array(TodoRecord),
        compactions: z.array(CompactionRecord),
      }),
    }),
  }),
  'chat/context/meter': method({
    summary:
      'What the model would be sent next, by part: how full its window is. Parts add up to the window. With the `question` it is, to the byte, what `ai/session/send` sends for it, unless that `compacts` first; without, it is what any next question finds.',
    params: z.strictObject({
      sessionId: SessionField,
      provider: ProviderField.optional(),
      model: ModelField.optional(),
      window: z.int().min(100).max(100_000_000).optional().describe("Beats the model's own."),
      question: z.string().max(100_000).optional().describe('As if this were asked next.'),
      id: NewIdField.describe(
        'The id that the question will be sent with: one that is cut to fit refers to itself by it.',
      ),
      at: SeqField.optional().describe(
        'What was sent after this entry; for an answer, the request that it answered. Where the log does not say, or with another model, window or question: what would have been sent, with the system prompt of then.',
      ),
      messages: z.boolean().default(false).describe('Also the messages themselves, as they would be sent.'),
    }),
    result: z.strictObject({
      sessionId: z.string(),
      model: z.string(),
      modelProblem: ModelProblem,
      window: z.int(),
      reserve: z.int(),
      tokens: z.int(),
      parts: z.array(ContextPart),
      leftOut: z.array(LeftOut),
      steps: z
        .array(z.string())
        .describe('What was needed to make it fit; empty when everything is sent as it is.'),
      messagesLoaded: z
        .int()
        .describe(
          'How many messages of the log are in it, whole or shortened. The question that is given is not counted; with `at`, one that was asked is.',
        ),
      compactionsApplied: z
        .int()
        .describe(
          'How many stored summaries stand in it. A digest that is made to fit one request is not stored, and not among them; `steps` says so.',
        ),
      compacts: z
        .boolean()
        .describe(
          'A turn would compact the session first, by its policy; these are the numbers before that. A server that tried twice without gain sends them as they are.',
        ),
      estimated: z
        .literal(true)
        .describe('Counted here; what a provider counted is in `request-start` and `usage`.'),
      instructions: z.string().optional(),
      messages: z.array(z.looseObject({ role: z.string() })).optional(),
    }),
  }),
} as const;
