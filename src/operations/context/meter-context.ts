import { z } from 'zod';
import {
  AgentProblem,
  AnsweredBy,
  ContentField,
  ModelField,
  ModelProblem,
  NewIdField,
  ProviderField,
  SeqField,
  SessionField,
  SummaryInstructions,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { ContextPart, LeftOut } from '../records/context-part.ts';
import { plainJson } from '../records/plain-json.ts';
import type { TurnApp } from '../turn-app.ts';
import { AgainField, Sent, showContext } from './show-context.ts';

export const meterContext = operation({
  name: 'chat/context/meter',
  summary:
    'The next request to the model, by part, and how full its window is. Parts add up to the window. With the `question` it is, to the byte, what `ai/session/send` sends for it, unless that `compacts` first; without, what `ai/session/continue` sends where the newest question has no whole answer, and else what any next question finds.',
  params: z.strictObject({
    sessionId: SessionField,
    provider: ProviderField.optional(),
    model: ModelField.optional(),
    window: z.int().min(100).max(100_000_000).optional().describe("Beats the model's own."),
    question: ContentField.optional().describe(
      'As if this were asked next; a text or parts, as in `ai/session/send`.',
    ),
    again: AgainField,
    id: NewIdField.describe(
      'The id that the question will be sent with: one that is cut to fit refers to itself by it.',
    ),
    at: SeqField.optional().describe(
      'What was sent after this entry; for an answer, the request that it answered. Where the log does not say, or with another model, window or question: what would have been sent, with the settings of then, and the agent and the project as they are now.',
    ),
    messages: z.boolean().default(false).describe('Also the messages themselves, as they would be sent.'),
  }),
  result: z.strictObject({
    sessionId: z.string(),
    model: z.string(),
    modelProblem: ModelProblem,
    answeredBy: AnsweredBy,
    agentProblem: AgentProblem,
    summaryInstructions: SummaryInstructions,
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
    sent: Sent.optional().describe('With `at`, where the log says what was sent: the answer to it.'),
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
  async run({ messages, ...asked }, app: TurnApp, request) {
    const shown = await showContext.run(asked, app, request);
    const { model, context, holds, compacts, chosen, agentProblem, summaryInstructions, sent } = shown;
    const { reserve, tokens, parts, leftOut, steps, instructions } = context;
    return {
      sessionId: asked.sessionId,
      model,
      ...(chosen?.problem !== undefined && { modelProblem: chosen.problem }),
      ...(chosen?.answeredBy !== undefined && { answeredBy: chosen.answeredBy }),
      ...(agentProblem !== undefined && { agentProblem }),
      ...(summaryInstructions !== undefined && { summaryInstructions }),
      window: context.window,
      reserve,
      tokens,
      parts,
      leftOut,
      steps,
      messagesLoaded: holds.messages,
      compactionsApplied: holds.summaries,
      ...(sent && { sent }),
      compacts,
      estimated: true as const,
      ...(messages && { instructions, messages: plainJson(context.messages) as { role: string }[] }),
    };
  },
});
