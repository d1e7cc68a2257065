import { z } from 'zod';
import type { AgentOptions } from '../../agent/index.ts';
import { type CompactOptions, compactSession, createModelSummariser } from '../../compaction/index.ts';
import type { ChosenModel, ModelNames } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import { CompactionNotice, ModelField, ModelProblem, ProviderField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Compacted, toCompacted } from '../records/compaction-record.ts';
import type { TurnApp } from '../turn-app.ts';
import { withAgentInstructions } from './agent-instructions.ts';
import { AskedFields, settingsOf } from './compaction-choices.ts';
import { measureLoad } from './measure-load.ts';

/** A server has a time limit, may have a model for summaries, and may be started without agent modules. */
type CompactingApp = App & Partial<Pick<TurnApp, 'modelTimeoutMs' | 'agents' | 'compaction'>>;

const Params = z.strictObject({
  ...AskedFields,
  provider: ProviderField.optional(),
  model: ModelField.optional().describe('Who summarises; `offline` for the digest.'),
  writer: z
    .enum(['session', 'digest'])
    .default('session')
    .describe(
      'Who summarises unless a model is named: the model for summaries or of the session, or the embedded digest.',
    ),
  instructions: z.string().max(10_000).optional().describe('What the summary should pay attention to.'),
  newSdkSession: z
    .boolean()
    .default(false)
    .describe(
      'For a session that the agent SDK keeps: its next turn begins a new session of the SDK, with the summary and the messages behind it as its history.',
    ),
});

const Answer = Compacted.extend({
  modelProblem: ModelProblem.describe(
    'The session or its agent names a model that cannot be used here: its name, and why. The digest wrote the summary in its place.',
  ),
  notice: CompactionNotice,
});

export const compactContext = operation({
  name: 'ai/context/compact',
  summary:
    'Summarises older messages: by the model that the server has for summaries, or else by that of the session if it is configured, else by the embedded digest. Fewer than 3 are left alone (`nothing-to-compact`). Nothing is lost.',
  writes: true,
  fails: ['lease-held', 'nothing-to-compact', 'summary-rejected'],
  params: Params,
  result: Answer,
  faces: {
    rpc: true,
    chat: ['compact'],
    help: {
      compact: 'Shorten what the model sees of a session. The log keeps every word, and expand puts it back.',
    },
    cli: { compact: 'result' },
  },
  async run(params, app: CompactingApp, { modelTimeoutMs = app.modelTimeoutMs, onProgress, stop }) {
    const { chatSessionId, instructions, range, newSdkSession } = params;
    const info = await app.find(chatSessionId);
    const { problem, ...writer } = await writerFor(info, params, { ...app, modelTimeoutMs });
    const summariser = await withAgentInstructions(writer.summariser, info, app);
    const settings = settingsOf(info, params, app);
    const { load } = await measureLoad(info, app);
    const measured = !range && settings.keep.share !== undefined && load ? { load } : {};
    const result = await app.sessions.use(info.id, (session) => {
      if (summariser) onProgress?.({ part: summariser.name, done: 0, total: 1 });
      return compactSession(session, {
        settings,
        ...measured,
        ...writer,
        ...(summariser && { summariser }),
        ...(stop && { signal: stop }),
        ...(range && { range }),
        ...(instructions !== undefined && { instructions }),
      });
    });
    const after = load && (await measureLoad((await app.store.session(info.id)) ?? info, app)).load;
    const { compactionNotice, forgetConversation } = await import('../agent-sdk/compaction-notice.ts');
    if (newSdkSession) await forgetConversation(app, info.id);
    const notice = newSdkSession ? {} : await compactionNotice(app.store, info);
    return {
      ...toCompacted(result),
      ...(load && after && { context: { before: load.tokens, after: after.tokens } }),
      ...(problem !== undefined && { modelProblem: problem }),
      ...notice,
    };
  },
});

/**
 * The model asked for, the one that the process has for summaries, or the one that answers in the session: its agent module's, its own, or the environment's. The digest
 * does it where that cannot be used, and where the offline model is named; a caller that would have had the digest anyway is
 * answered why.
 */
async function writerFor(
  info: SessionInfo,
  { writer, provider, model }: Pick<z.output<typeof Params>, 'writer' | 'provider' | 'model'>,
  {
    store,
    env,
    agents,
    modelTimeoutMs,
    compaction,
  }: Omit<CompactingApp, keyof App> & Pick<App, 'env' | 'store'>,
): Promise<Pick<CompactOptions, 'summariser' | 'unasked'> & Pick<ChosenModel, 'problem'>> {
  const isAlone = writer === 'digest';
  const isNamed = provider !== undefined || model !== undefined;
  if (isAlone && !isNamed) return {};
  const limit = modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs };
  const standing = isNamed ? undefined : compaction?.summariser;
  if (standing === 'digest') return {};
  if (standing !== undefined)
    return {
      summariser: typeof standing === 'string' ? createModelSummariser(standing, limit) : standing,
    };
  const asked = { provider, model };
  const chosen = isAlone
    ? await chooseAlone(info, asked, env)
    : await chooseInSession(info, {
        model: asked,
        openModel: { env },
        ...(agents === false && { agent: false }),
      });
  const { opened, problem } = chosen;
  if (problem !== undefined) return { problem };
  if (!opened) return {};
  if (opened.provider !== 'offline') {
    const { summariserFor } = await import('../../run/index.ts');
    return { summariser: await summariserFor(store, info, { opened, ...limit }) };
  }
  return isAlone ? { unasked: { by: opened.id, reason: OFFLINE } } : {};
}

/** The agent SDK writes no summaries: where it is named, the caller is answered so. */
async function chooseAlone({ state }: SessionInfo, asked: ModelNames, env: App['env']): Promise<ChosenModel> {
  const { chooseModel } = await import('../../models/index.ts');
  return chooseModel(state, { asked, open: { env } });
}

async function chooseInSession(info: SessionInfo, choices: AgentOptions): Promise<ChosenModel> {
  const { chooseFor } = await import('../../agent/index.ts');
  // The agent SDK writes no summaries: a session of it has the digest.
  return (await chooseFor(info, { ...choices, agentSdk: async (_, chosen) => chosen })).chosen;
}

const OFFLINE = 'it only quotes and writes no summaries';
