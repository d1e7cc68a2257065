import { z } from 'zod';
import { type ContextForOptions, contextFor, openKnowledge, type SessionContext } from '../../agent/index.ts';
import type { ContextMessage } from '../../context/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { POLICY_NAMES } from '../config/index.ts';
import { Failure, failureOf } from '../failure.ts';
import { ModelField, ModelProblem, SeqField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ContextPart, LeftOut } from '../records/context-part.ts';

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
});

const Sent = z.strictObject({
  entry: z.string(),
  seq: z.int(),
  model: z.string(),
  exact: z.boolean().describe('To the byte what was sent.'),
});

const ShownContext = z.strictObject({
  as: z
    .enum(['next', 'sent', 'rebuilt'])
    .describe('What the next turn sends, what was sent, or what would have been sent at that entry.'),
  context: Context,
  holds: z.strictObject({ messages: z.int(), summaries: z.int() }),
  compacts: z.boolean(),
  chosen: z
    .strictObject({
      id: z.string(),
      provider: z.string(),
      because: z.enum(['asked', 'agent', 'session', 'environment', 'offline']),
      problem: ModelProblem,
      isWindowKnown: z.boolean(),
    })
    .optional()
    .describe('The model that would answer. Absent for a request that was sent.'),
  sent: Sent.optional(),
  notRecalled: Failure.optional().describe('Nothing was recalled, because the index cannot be used.'),
});

const Printed = Context.extend({
  messagesLoaded: z.int().optional(),
  compactionsApplied: z.int().optional(),
  compacts: z.boolean().optional(),
  modelProblem: ModelProblem,
  sent: Sent.optional(),
});

export const showContext = operation({
  name: 'session/context',
  summary: 'Show what the model sees of a session, and how much of its window that takes.',
  fails: ['entry-not-found', 'model-unknown', 'model-not-configured', 'context-overflow'],
  params: z.strictObject({
    sessionId: SessionField,
    model: z.string().describe(ModelField.description!).optional(),
    window: z.int().min(1).optional().describe("Beats the model's own."),
    preset: z
      .enum(POLICY_NAMES)
      .optional()
      .describe('For a session that has no policy of its own, as in a chat.'),
    question: z
      .string()
      .optional()
      .describe('As if this were asked next; the newest one again unless given.'),
    recall: z.int().min(0).optional().describe('Tokens for what compacted turns say about the question.'),
    at: SeqField.optional().describe('What was sent after this entry.'),
    folder: z.string().optional().describe('Where a person works: its instruction files are counted.'),
  }),
  result: ShownContext,
  faces: { cli: { context: { schema: Printed, of: toPrinted } } },
  async run({ sessionId, preset, question, folder, ...asked }, app, { onProgress, ...request }) {
    const { store, env } = app;
    const info = await app.find(sessionId);
    let notRecalled: Failure | undefined;
    await using knowledge = openKnowledge(store, {
      folder,
      ...(onProgress && { onProgress }),
      onNotRecalled: (error) => {
        notRecalled = failureOf(error, request);
      },
    });
    const found = await contextFor(store, info.id, {
      ...asked,
      knowledge,
      openModel: { env },
      question: question ?? (asked.at === undefined ? { again: true } : undefined),
      ...compactionOf(info, preset),
    });
    return { ...toShown(found), ...(notRecalled && { notRecalled }) };
  },
});

function compactionOf(
  { state }: SessionInfo,
  preset: (typeof POLICY_NAMES)[number] | undefined,
): Pick<ContextForOptions, 'compaction'> {
  if (preset === undefined || state.settings.compaction !== undefined) return {};
  return { compaction: preset === 'off' ? false : { settings: preset } };
}

function toShown({ as, context, holds, compacts, chosen, sent }: SessionContext): Shown {
  return { as, context, holds, compacts, ...(chosen && { chosen: toChosen(chosen) }), ...(sent && { sent }) };
}

function toChosen({ id, provider, because, problem, limits }: NonNullable<SessionContext['chosen']>) {
  const isWindowKnown = limits.source !== 'default' || provider === 'offline';
  return { id, provider, because, ...(problem !== undefined && { problem }), isWindowKnown };
}

type Shown = z.output<typeof ShownContext>;

/** The meter's numbers first, then the request. */
function toPrinted({ context, holds, compacts, as, chosen, sent }: Shown): z.output<typeof Printed> {
  const { window, reserve, tokens, parts, messages, leftOut, ...rest } = context;
  return {
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
    ...(sent && { sent }),
  };
}
