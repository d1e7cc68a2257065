import { z } from 'zod';
import { compactSession, createModelSummariser, type Summariser } from '../../compaction/index.ts';
import { chooseModel, type ModelNames } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { compactionNotice, forgetConversation } from '../agent-sdk/compaction-notice.ts';
import { CompactionNotice, ModelField, ProviderField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Author } from '../records/compaction-record.ts';
import type { TurnApp } from '../turn-app.ts';
import { AskedFields, settingsOf } from './compaction-choices.ts';

export const compactContext = operation({
  name: 'ai/context/compact',
  summary:
    'Summarises older messages: by the model of the session if it is configured, else by the embedded digest. Fewer than 3 are left alone (`nothing-to-compact`). Nothing is lost.',
  writes: true,
  params: z.strictObject({
    ...AskedFields,
    provider: ProviderField.optional(),
    model: ModelField.optional().describe('Who summarises; `offline` for the digest.'),
    instructions: z.string().max(10_000).optional().describe('What the summary should pay attention to.'),
    newSdkSession: z
      .boolean()
      .default(false)
      .describe(
        'For a session that the agent SDK keeps: its next turn begins a new session of the SDK, with the summary and the messages behind it as its history.',
      ),
  }),
  result: z.strictObject({
    compactionId: z.string(),
    summary: z.string(),
    messagesCompacted: z.int(),
    originalTokenCount: z.int(),
    compressedTokenCount: z.int(),
    retention: z.number(),
    by: Author,
    failures: z
      .array(z.strictObject({ by: z.string(), reason: z.string() }))
      .describe('Why a model did not do it, if one should have.'),
    merges: z.int().describe('How many summaries were merged into higher ones after it.'),
    unfinished: z
      .string()
      .optional()
      .describe('Why older summaries that could be merged were not. The compaction itself is in place.'),
    notice: CompactionNotice,
  }),
  faces: { rpc: true },
  async run(params, app: TurnApp) {
    const { chatSessionId, keepRecentCount, provider, model, instructions, range, newSdkSession } = params;
    const info = await app.find(chatSessionId);
    const summariser = await summariserFor(app, info, { provider, model });
    const result = await app.sessions.use(info.id, (session) =>
      compactSession(session, {
        settings: settingsOf(info, keepRecentCount),
        ...(summariser && { summariser }),
        ...(range && { range }),
        ...(instructions !== undefined && { instructions }),
      }),
    );
    if (newSdkSession) await forgetConversation(app, info.id);
    const notice = newSdkSession ? {} : await compactionNotice(app.store, info);
    return {
      ...result,
      ...notice,
      by: { ...result.by },
      failures: result.failures.map(({ by, reason }) => ({ by, reason })),
    };
  },
});

/** The session's own model, or the one asked for; the digest does it where that cannot be used, unless it is asked for. */
async function summariserFor(
  { env, modelTimeoutMs }: Pick<TurnApp, 'env' | 'modelTimeoutMs'>,
  { state }: SessionInfo,
  asked: ModelNames,
): Promise<Summariser | undefined> {
  const { opened, problem } = await chooseModel(state, { asked, agentSdk: true, open: { env } });
  if (!opened || opened.provider === 'offline' || problem !== undefined) return undefined;
  return createModelSummariser(opened, modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs });
}
