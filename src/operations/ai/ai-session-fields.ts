import { z } from 'zod';
import type { PreparedTurn } from '../../agent/index.ts';
import { AgentProblem, AnsweredBy, CompactionNotice, ModelProblem } from '../fields.ts';
import type { TurnApp } from '../turn-app.ts';

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
  answeredBy: AnsweredBy,
  modelProblem: ModelProblem,
  agentProblem: AgentProblem,
};

export const Resumed = z.strictObject({
  ...OpenedFields,
  contextTokens: z
    .int()
    .describe(
      'Estimated tokens of the rebuilt context, head and tools included: what `chat/context/meter` gives without a question and with `again: false`. The next question, and what is recalled for it, come on top.',
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

type Prepared = Pick<PreparedTurn, 'chosen' | 'agentProblem'>;

/** The model that answers, its window as turns go by it, and why another model or the agent of the session does not. */
export function tellModel(prepared: Prepared, { window }: Pick<TurnApp, 'window'>) {
  const { provider, model, limits } = prepared.chosen;
  const answeredBy = answersInsteadOperation(prepared.chosen);
  return {
    provider,
    model,
    contextWindow: window ?? limits.window,
    ...(answeredBy !== undefined && { answeredBy }),
    ...problemsOf(prepared),
  };
}

/** Why another model answers than the session or its agent names, and why the agent that it remembers does not. */
export function problemsOf({ chosen: { problem }, agentProblem }: Prepared) {
  return {
    ...(problem !== undefined && { modelProblem: problem }),
    ...(agentProblem !== undefined && { agentProblem }),
  };
}

/** The model that answers, if it is not the one that the session is set to. Names of one model differ (aliases, bare names), so this is decided by what named it and not by comparing them. */
export function answersInsteadOperation({
  id,
  because,
  problem,
  answeredBy,
}: Prepared['chosen']): string | undefined {
  if (answeredBy !== undefined || because === 'agent') return answeredBy ?? id;
  return problem !== undefined && because !== 'session' ? id : undefined;
}
