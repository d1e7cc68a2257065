import { z } from 'zod';
import {
  CompactionNotice,
  ContentField,
  ModelField,
  ModelProblem,
  NewIdField,
  PolicyField,
  ProviderField,
  SessionField,
  TitleField,
  TurnRecord,
  WaitField,
} from '../../operations/index.ts';
import { method } from './method.ts';

const AiSessionField = z
  .string()
  .min(1)
  .max(200)
  .describe('From `ai/session/create` or `ai/session/resume`.');

const Opened = {
  aiSessionId: z
    .string()
    .describe('For `ai/session/send`. It lives as long as the server; resume makes another.'),
  chatSessionId: z.string(),
  provider: z.string(),
  model: z.string(),
  contextWindow: z.int().describe("The model's window, in tokens."),
  modelProblem: ModelProblem,
};

export const aiSession = {
  'ai/session/create': method({
    summary: 'Opens an AI session on a chat session, or on a new one.',
    writes: true,
    params: z.strictObject({
      chatSessionId: SessionField.optional().describe('A new chat session is made if not given.'),
      provider: ProviderField.optional(),
      model: ModelField.optional(),
      systemPrompt: z.string().max(200_000).optional(),
      title: TitleField.optional(),
      project: z.string().min(1).max(1000).optional(),
      agent: z.string().min(1).max(200).optional(),
      compaction: PolicyField.optional(),
    }),
    result: z.strictObject(Opened),
  }),
  'ai/session/resume': method({
    summary:
      'Goes on with a chat session: rebuilds its context from the log, summaries included, as the next `ai/session/send` sends it. If the policy of the session says so, it is compacted first; by `window`, the policy of sessions made over RPC, that is when it is over the window with more than 15 active messages. Sessions of the agent SDK go on by its own session id; where this server cannot run the SDK, the call fails with the code that `ai/session/send` would give.',
    writes: true,
    fails: ['lease-held'],
    params: z.strictObject({
      chatSessionId: SessionField,
      provider: ProviderField.optional().describe(
        "Instead of the session's; it stays as it is for the next time.",
      ),
      model: ModelField.optional().describe("Instead of the session's."),
      waitMs: WaitField,
    }),
    result: z.strictObject({
      ...Opened,
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
    }),
  }),
  'ai/session/send': method({
    summary:
      'Says something. Success means that it is stored; the answer comes as `ai/session/event` notifications and is in the log. The turn goes on whoever disconnects.',
    writes: true,
    fails: ['session-trashed', 'lease-held', 'entry-conflict'],
    params: z.strictObject({
      sessionId: AiSessionField.optional().describe(
        'The AI session, from `ai/session/create` or `ai/session/resume`; not needed with `storageSessionId`.',
      ),
      content: ContentField,
      storageSessionId: SessionField.optional().describe(
        'The chat session. With it the call also works when the server was restarted since.',
      ),
      id: NewIdField,
      provider: ProviderField.optional().describe('For this message only.'),
      model: ModelField.optional().describe('For this message only.'),
      stream: z.boolean().default(true).describe('Send the events of this turn to this connection.'),
      wait: z
        .boolean()
        .default(false)
        .describe('Answer once the turn has ended, with its record: also if it failed, since it is stored.'),
      waitMs: WaitField,
    }),
    result: z.strictObject({
      stored: z.literal(true),
      messageId: z.string(),
      chatSessionId: z.string(),
      waiting: z.boolean().describe('Another turn is running; this one comes after it.'),
      modelProblem: ModelProblem,
      turn: TurnRecord.optional().describe('With `wait`.'),
      text: z.string().nullable().optional().describe('With `wait`: what the newest answer says.'),
    }),
  }),
  'ai/session/continue': method({
    summary:
      'Asks again for the newest turn if it has no whole answer (cut by a person, a provider, a crash or a stop, failed, or at its limit), and runs the messages that wait.',
    writes: true,
    fails: ['session-trashed', 'lease-held'],
    params: z.strictObject({
      sessionId: AiSessionField.optional().describe(
        'The AI session, from `ai/session/create` or `ai/session/resume`; not needed with `storageSessionId`.',
      ),
      storageSessionId: SessionField.optional(),
      stream: z.boolean().default(true),
    }),
    result: z.strictObject({
      started: z.boolean(),
      messageId: z.string().nullable(),
      chatSessionId: z.string(),
    }),
  }),
  'ai/session/cancel': method({
    summary: 'Stops the turn that is running. What was there of the answer is kept as interrupted.',
    writes: true,
    params: z.strictObject({
      sessionId: AiSessionField.optional(),
      chatSessionId: SessionField.optional(),
      all: z.boolean().default(false).describe('Also those that wait: they are kept, and not answered.'),
    }),
    result: z.strictObject({ cancelled: z.int().describe('How many turns were stopped.') }),
  }),
} as const;
