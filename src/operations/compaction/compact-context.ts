import { z } from 'zod';
import { type CompactOptions, compactSession, createModelSummariser } from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import { CompactionNotice, ModelField, ProviderField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Author } from '../records/compaction-record.ts';
import type { TurnApp } from '../turn-app.ts';
import { AskedFields, settingsOf } from './compaction-choices.ts';

/** The time limit is that of a server. */
type CompactingApp = App & Partial<Pick<TurnApp, 'modelTimeoutMs'>>;

const Params = z.strictObject({
  ...AskedFields,
  provider: ProviderField.optional(),
  model: ModelField.optional().describe('Who summarises; `offline` for the digest.'),
  writer: z
    .enum(['session', 'digest'])
    .default('session')
    .describe(
      'Who summarises unless a model is named: the model of the session, or the embedded digest. With `digest` the session does not complete the name of a model either.',
    ),
  instructions: z.string().max(10_000).optional().describe('What the summary should pay attention to.'),
  newSdkSession: z
    .boolean()
    .default(false)
    .describe(
      'For a session that the agent SDK keeps: its next turn begins a new session of the SDK, with the summary and the messages behind it as its history.',
    ),
});

const Compacted = z.strictObject({
  compactionId: z.string(),
  summary: z.string(),
  messagesCompacted: z.int(),
  originalTokenCount: z.int(),
  compressedTokenCount: z.int(),
  retention: z.number(),
  by: Author,
  failures: z
    .array(z.strictObject({ by: z.string(), reason: z.string(), code: z.string().optional() }))
    .describe('Why a model did not do it, if one should have.'),
  merges: z.int().describe('How many summaries were merged into higher ones after it.'),
  unfinished: z
    .string()
    .optional()
    .describe('Why older summaries that could be merged were not. The compaction itself is in place.'),
});

export const compactContext = operation({
  name: 'ai/context/compact',
  summary:
    'Summarises older messages: by the model of the session if it is configured, else by the embedded digest. Fewer than 3 are left alone (`nothing-to-compact`). Nothing is lost.',
  writes: true,
  params: Params,
  result: Compacted.extend({ notice: CompactionNotice }),
  faces: {
    rpc: true,
    help: {
      compact: 'Shorten what the model sees of a session. The log keeps every word, and expand puts it back.',
    },
    cli: { compact: { schema: Compacted, of: ({ notice: _, ...compacted }) => compacted } },
  },
  async run(params, app: CompactingApp, { modelTimeoutMs = app.modelTimeoutMs, onProgress }) {
    const { chatSessionId, instructions, range, newSdkSession } = params;
    const info = await app.find(chatSessionId);
    const writer = await writerFor(info, params, { env: app.env, modelTimeoutMs });
    const result = await app.sessions.use(info.id, (session) => {
      if (writer.summariser) onProgress?.({ part: writer.summariser.name, done: 0, total: 1 });
      return compactSession(session, {
        settings: settingsOf(info, params),
        ...writer,
        ...(range && { range }),
        ...(instructions !== undefined && { instructions }),
      });
    });
    const { compactionNotice, forgetConversation } = await import('../agent-sdk/compaction-notice.ts');
    if (newSdkSession) await forgetConversation(app, info.id);
    const notice = newSdkSession ? {} : await compactionNotice(app.store, info);
    return {
      ...result,
      ...notice,
      by: { ...result.by },
      failures: result.failures.map((failure) => ({ ...failure })),
    };
  },
});

/**
 * The model asked for, or the session's own. The digest does it where the session's cannot be used, and where the offline
 * model is named; a caller that would have had the digest anyway is answered why.
 */
async function writerFor(
  { state }: SessionInfo,
  { writer, provider, model }: Pick<z.output<typeof Params>, 'writer' | 'provider' | 'model'>,
  { env, modelTimeoutMs }: Pick<CompactingApp, 'env' | 'modelTimeoutMs'>,
): Promise<Pick<CompactOptions, 'summariser' | 'unasked'>> {
  const isAlone = writer === 'digest';
  if (isAlone && provider === undefined && model === undefined) return {};
  const { chooseModel } = await import('../../models/index.ts');
  const { opened, problem } = await chooseModel(isAlone ? { settings: {} } : state, {
    asked: { provider, model },
    agentSdk: !isAlone,
    open: { env },
  });
  if (!opened || problem !== undefined) return {};
  if (opened.provider !== 'offline') {
    const limit = modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs };
    return { summariser: createModelSummariser(opened, limit) };
  }
  return isAlone ? { unasked: { by: opened.id, reason: OFFLINE } } : {};
}

const OFFLINE = 'it only quotes and writes no summaries, so the digest did';
