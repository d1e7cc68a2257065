import {
  compactSession,
  createModelSummariser,
  previewCompaction,
  type Summariser,
  settingsFor,
} from '../../compaction/index.ts';
import { chooseModel, type ModelNames } from '../../models/index.ts';
import type { CompactionSettings, SessionInfo } from '../../record/index.ts';
import { openSession } from '../../session/index.ts';
import { compactionNotice, forgetConversation } from '../agent-sdk/compaction-notice.ts';
import type { Call, Handler } from '../call.ts';

/** By the session's policy, but for how many messages stay if the caller says. */
function settingsOf({ state }: SessionInfo, keepRecentCount: number | undefined): CompactionSettings {
  const policy = settingsFor(state);
  return keepRecentCount === undefined ? policy : { ...policy, keep: { messages: keepRecentCount } };
}

const compact: Handler<'ai/context/compact'> = async (params, call) => {
  const { chatSessionId, keepRecentCount, provider, model, instructions, range, newSdkSession } = params;
  const info = await call.find(chatSessionId);
  const summariser = await summariserFor(call, info, { provider, model });
  const result = await call.sessions.use(info.id, (session) =>
    compactSession(session, {
      settings: settingsOf(info, keepRecentCount),
      ...(summariser && { summariser }),
      ...(range && { range }),
      ...(instructions !== undefined && { instructions }),
    }),
  );
  if (newSdkSession) await forgetConversation(call, info.id);
  const notice = newSdkSession ? {} : await compactionNotice(call.store, info);
  return {
    ...result,
    ...notice,
    by: { ...result.by },
    failures: result.failures.map(({ by, reason }) => ({ by, reason })),
  };
};

const preview: Handler<'ai/context/preview'> = async (params, { store, find }) => {
  const { chatSessionId, keepRecentCount, range } = params;
  const info = await find(chatSessionId);
  await using session = await openSession(store, info.id, { mode: 'read' });
  const shown = await previewCompaction(session, {
    settings: settingsOf(info, keepRecentCount),
    ...(range && { range }),
  });
  const { covers, summarised, kept, leftOut, merges, summaryTokens } = shown;
  const savedTokens = Math.max(0, summarised.tokens - summaryTokens);
  const notice = await compactionNotice(store, info);
  return { covers, summarised, kept, leftOut, merges, summaryTokens, savedTokens, ...notice };
};

/** The session's own model, or the one asked for; the digest does it where that cannot be used, unless it is asked for. */
export async function summariserFor(
  { env, modelTimeoutMs }: Pick<Call, 'env' | 'modelTimeoutMs'>,
  { state }: SessionInfo,
  asked: ModelNames,
): Promise<Summariser | undefined> {
  const { opened, problem } = await chooseModel(state, { asked, agentSdk: true, open: { env } });
  if (!opened || opened.provider === 'offline' || problem !== undefined) return undefined;
  return createModelSummariser(opened, modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs });
}

export const aiContext = { 'ai/context/compact': compact, 'ai/context/preview': preview };
