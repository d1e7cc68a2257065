import { z } from 'zod';
import { contextFor } from '../../agent/index.ts';
import { ModelField, ModelProblem, NewIdField, ProviderField, SeqField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ContextPart, LeftOut } from '../records/context-part.ts';
import { plainJson } from '../records/plain-json.ts';
import { turnChoices } from '../runs/turns-for.ts';
import type { TurnApp } from '../turn-app.ts';

export const meterContext = operation({
  name: 'chat/context/meter',
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
  faces: { rpc: true },
  async run(params, app: TurnApp) {
    const { sessionId, provider, model, window, question, id, at, messages } = params;
    const info = await app.find(sessionId);
    const built = await contextFor(app.store, info.id, {
      ...turnChoices(app, { provider, model }),
      // The window of the process is for turns to come.
      window: window ?? (at === undefined ? app.window : undefined),
      question,
      id,
      at,
    });
    const { context, holds, compacts, chosen } = built;
    const { reserve, tokens, parts, leftOut, steps, instructions } = context;
    return {
      sessionId: info.id,
      model: built.model,
      ...(chosen?.problem !== undefined && { modelProblem: chosen.problem }),
      window: context.window,
      reserve,
      tokens,
      parts,
      leftOut,
      steps,
      messagesLoaded: holds.messages,
      compactionsApplied: holds.summaries,
      compacts,
      estimated: true as const,
      ...(messages && { instructions, messages: plainJson(context.messages) as { role: string }[] }),
    };
  },
});
