import { z } from 'zod';
import { contextFor, isWhatIf, openKnowledge, type SessionContext } from '../../agent/index.ts';
import type { ContextMessage } from '../../context/index.ts';
import { answersInsteadOperation } from '../ai/ai-session-fields.ts';
import type { App } from '../app.ts';
import { POLICY_NAMES } from '../config/preset-names.ts';
import { Failure, failureOfOperation } from '../failure.ts';
import {
  AgentProblem,
  AnsweredBy,
  ContentField,
  ModelField,
  ModelProblem,
  NewIdField,
  SeqField,
  SessionField,
  SummaryInstructions,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { ContextPart, LeftOut } from '../records/context-part.ts';
import type { TurnApp } from '../turn-app.ts';

const Parts = z.array(z.looseObject({ type: z.string() }));
const SentMessage = z.looseObject({ role: z.string(), content: z.union([z.string(), Parts]) });

const Context = z.strictObject({
  window: z.int(),
  reserve: z.int(),
  tokens: z.int(),
  parts: z.array(ContextPart),
  messages: z.array(z.custom<ContextMessage>((message) => SentMessage.safeParse(message).success)),
  leftOut: z.array(LeftOut),
  instructions: z.string(),
  maxOutput: z.int(),
  recalled: z.array(z.strictObject({ session: z.string().optional(), entry: z.string(), seq: z.int() })),
  entries: z.array(z.string()),
  steps: z.array(z.string()),
  prefix: z.array(z.string()),
  seams: z
    .strictObject({ records: z.int(), turn: z.int(), before: z.int().optional() })
    .describe(
      "Messages after which a mark for a provider's cache pays: behind the summaries, before the recall and the newest question, and where the request before this one ended.",
    ),
});

/** One default for the terminal and RPC, so that both announce the same request. */
export const AgainField = z
  .boolean()
  .default(true)
  .describe(
    'Without a question, and if the newest one has no whole answer: what `ai/session/continue` sends. `false`: what any next question finds.',
  );

export const Sent = z.strictObject({
  entry: z.string(),
  seq: z.int(),
  model: z.string(),
  exact: z.boolean().describe('To the byte what was sent.'),
});

const ShownContext = z.strictObject({
  as: z
    .enum(['next', 'sent', 'rebuilt'])
    .describe('What the next turn sends, what was sent, or what would have been sent at that entry.'),
  model: z.string().describe('`provider:model`.'),
  context: Context,
  holds: z.strictObject({ messages: z.int(), summaries: z.int() }),
  compacts: z.boolean(),
  chosen: z
    .strictObject({
      id: z.string(),
      provider: z.string(),
      because: z.enum(['asked', 'agent', 'session', 'environment', 'offline']),
      problem: ModelProblem,
      answeredBy: AnsweredBy,
      isWindowKnown: z.boolean(),
    })
    .optional()
    .describe('The model that would answer. Absent for a request that was sent.'),
  agentProblem: AgentProblem,
  summaryInstructions: SummaryInstructions,
  sent: Sent.optional(),
  notRecalled: Failure.optional().describe('Nothing was recalled, because the index cannot be used.'),
});

const Printed = Context.extend({
  model: z.string(),
  messagesLoaded: z.int().optional(),
  compactionsApplied: z.int().optional(),
  compacts: z.boolean().optional(),
  modelProblem: ModelProblem,
  answeredBy: AnsweredBy,
  agentProblem: AgentProblem,
  summaryInstructions: SummaryInstructions,
  sent: Sent.optional(),
});

export const showContext = operation({
  name: 'session/context',
  summary: 'Show what the model sees of a session, and how much of its window that takes.',
  fails: ['entry-not-found', 'model-unknown', 'model-not-configured', 'context-overflow'],
  params: z.strictObject({
    sessionId: SessionField,
    provider: z.string().optional(),
    model: z.string().describe(ModelField.description!).optional(),
    window: z.int().min(1).optional().describe("Beats the model's own."),
    preset: z
      .enum(POLICY_NAMES)
      .optional()
      .describe('For a session that has no policy of its own, as in a chat.'),
    question: ContentField.optional().describe('As if this were asked next.'),
    again: AgainField,
    id: NewIdField.describe('The id that the question will be sent with.'),
    recall: z.int().min(0).optional().describe('Tokens for what compacted turns say about the question.'),
    at: SeqField.optional().describe('What was sent after this entry.'),
    asSent: z
      .boolean()
      .optional()
      .describe('With `at`: what was sent, although a window or room for recall is given with it.'),
  }),
  result: ShownContext,
  faces: { cli: { context: { schema: Printed, of: toPrinted } } },
  async run(params, app: App | TurnApp, { onProgress, ...request }) {
    const { sessionId, preset, question, provider, model, again, at, id, window, recall } = params;
    const { store, env } = app;
    const info = await app.find(sessionId);
    let notRecalled: Failure | undefined;
    await using own = openKnowledge(store, {
      ...(onProgress && { onProgress }),
      onNotRecalled: (error) => {
        notRecalled = failureOfOperation(error, request);
      },
    });
    const names = { provider, model };
    // A process that runs turns announces them with the choices that it runs them with.
    const choices =
      'runs' in app
        ? (await import('../runs/turns-for.ts')).announcedChoices(app, names)
        : { knowledge: own, openModel: { env }, model: names };
    const standing = 'runs' in app ? app.compaction : { askFirst: env.THROUGHLINE_ASK_FIRST === 'on' };
    const found = await contextFor(store, info.id, {
      ...choices,
      id,
      at,
      question,
      again: again || at !== undefined,
      ...(window !== undefined && { window }),
      ...(recall !== undefined && { recall }),
      // The standing choices of the process do not ask about another request than was sent.
      asSent: params.asSent ?? !isWhatIf({ model: names, question, window, recall }),
      compaction: { ...standing, ...(preset !== undefined && { fallback: preset }) },
    });
    return { ...toShown(found), ...(notRecalled && { notRecalled }) };
  },
});

function toShown(found: SessionContext): Shown {
  const { as, model, context, holds, compacts, chosen, agentProblem, summaryInstructions, sent } = found;
  return {
    as,
    model,
    context,
    holds,
    compacts,
    ...(chosen && { chosen: toChosen(chosen) }),
    ...(agentProblem !== undefined && { agentProblem }),
    ...(summaryInstructions !== undefined && { summaryInstructions }),
    ...(sent && { sent }),
  };
}

type Chosen = NonNullable<SessionContext['chosen']>;

function toChosen(chosen: Chosen) {
  const { id, provider, because, problem, limits } = chosen;
  const answeredBy = answersInsteadOperation(chosen);
  return {
    id,
    provider,
    because,
    ...(problem !== undefined && { problem }),
    ...(answeredBy !== undefined && { answeredBy }),
    isWindowKnown: limits.source !== 'default' || provider === 'offline',
  };
}

type Shown = z.output<typeof ShownContext>;

/** The meter's numbers first, then the request. */
function toPrinted(shown: Shown): z.output<typeof Printed> {
  const { model, context, holds, compacts, as, chosen, agentProblem, summaryInstructions, sent } = shown;
  const { window, reserve, tokens, parts, messages, leftOut, ...rest } = context;
  return {
    model,
    window,
    reserve,
    tokens,
    parts,
    messages,
    leftOut,
    ...rest,
    ...(as === 'next' && {
      messagesLoaded: holds.messages,
      compactionsApplied: holds.summaries,
      compacts,
    }),
    ...(chosen?.problem !== undefined && { modelProblem: chosen.problem }),
    ...(chosen?.answeredBy !== undefined && { answeredBy: chosen.answeredBy }),
    ...(agentProblem !== undefined && { agentProblem }),
    ...(summaryInstructions !== undefined && { summaryInstructions }),
    ...(sent && { sent }),
  };
}
