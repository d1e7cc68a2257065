import { z } from 'zod';
import type { AgentOptions } from '../../agent/index.ts';
import {
  type CompactionResult,
  type CompactOptions,
  compactSession,
  createModelSummariser,
} from '../../compaction/index.ts';
import type { ChosenModel, ModelNames } from '../../models/index.ts';
import type { CompactionSettings, SeqRange, SessionInfo } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { App } from '../app.ts';
import { CompactionNotice, ModelField, ModelProblem, ProviderField, WaitField } from '../fields.ts';
import { operation, type Request } from '../operation.ts';
import { Compacted, toCompacted } from '../records/compaction-record.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';
import { withAgentInstructions } from './agent-instructions.ts';
import { AskedFields, settingsOfSummary } from './compaction-choices.ts';
import { measureLoad } from './measure-load.ts';

/** A server has a time limit, may have a model for summaries, and may be started without agent modules. */
export type CompactingApp = App & Partial<Pick<TurnApp, 'modelTimeoutMs' | 'agents' | 'compaction'>>;

export const SdkField = z
  .boolean()
  .default(false)
  .describe(
    'For a session that the agent SDK keeps: its next turn begins a new session of the SDK, with the summary and the messages behind it as its history.',
  );

export const WriterFields = {
  provider: ProviderField.optional(),
  model: ModelField.optional().describe('Who summarises; `offline` for the digest.'),
  writer: z
    .enum(['session', 'digest'])
    .default('session')
    .describe(
      'Who summarises unless a model is named: the model for summaries or of the session, or the embedded digest.',
    ),
};

export const Params = z.strictObject({
  ...AskedFields,
  ...WriterFields,
  instructions: z.string().max(10_000).optional().describe('What the summary should pay attention to.'),
  newSdkSession: SdkField,
});

const CompactParams = Params.extend({
  writer: z
    .enum(['session', 'digest', 'provider'])
    .default('session')
    .describe(
      'Who summarises unless a model is named: the model for summaries or of the session, or the embedded digest. `provider`: the provider of the model that answers (Anthropic, OpenAI), in its own way and all before the newest question.',
    ),
  waitMs: WaitField,
});

export const Answer = Compacted.extend({
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
  params: CompactParams,
  result: Answer,
  faces: {
    rpc: true,
    chat: ['compact'],
    help: {
      compact: 'Shorten what the model sees of a session. The log keeps every word, and expand puts it back.',
    },
    cli: { compact: 'result' },
  },
  async run(params, app: CompactingApp, request) {
    const info = await app.find(params.chatSessionId);
    const { writer, waitMs } = params;
    if (writer === 'provider') {
      const result = await compactNatively(info, params, app, request);
      return answerOf(result, { info, problem: undefined, newSdkSession: params.newSdkSession }, app);
    }
    const { problem, options, load } = await optionsFor(info, { ...params, writer }, app, request);
    const work = (session: Session) => {
      tellWriter(options, request);
      return compactSession(session, options);
    };
    const result = await app.sessions.use(info.id, work, { waitMs });
    const after = load && (await measureLoad((await app.store.session(info.id)) ?? info, app)).load;
    return {
      ...(await answerOf(result, { info, problem, newSdkSession: params.newSdkSession }, app)),
      ...(load && after && { context: { before: load.tokens, after: after.tokens } }),
    };
  },
});

type Chosen = Pick<CompactOptions, 'summariser' | 'unasked'> & Pick<ChosenModel, 'problem'>;

/** The options of a compaction that is asked for, and why it is not written by the model that should. */
export async function optionsFor(
  info: SessionInfo,
  params: Omit<z.output<typeof Params>, 'newSdkSession'>,
  app: CompactingApp,
  request: Pick<Request, 'modelTimeoutMs' | 'stop'>,
): Promise<
  { readonly options: CompactOptions } & Pick<ChosenModel, 'problem'> & Pick<CompactOptions, 'load'>
> {
  const { instructions, range } = params;
  const { problem, ...writer } = await writingOptions(info, params, app, request);
  const settings = settingsOfSummary(info, params, app);
  const { load } = await measureLoad(info, app);
  const measured = !range && settings.keep.share !== undefined && load ? { load } : {};
  const options = {
    settings,
    ...measured,
    ...writer,
    ...(range && { range }),
    ...(instructions !== undefined && { instructions }),
  };
  return { options, ...(load && { load }), ...(problem !== undefined && { problem }) };
}

/** Who writes, with what the session's agent module wants kept. */
export async function writingOptions(
  info: SessionInfo,
  params: z.output<z.ZodObject<typeof WriterFields>>,
  app: CompactingApp,
  { modelTimeoutMs = app.modelTimeoutMs, stop }: Pick<Request, 'modelTimeoutMs' | 'stop'>,
): Promise<Chosen & Pick<CompactOptions, 'signal'>> {
  const writer = await writerFor(info, params, { ...app, modelTimeoutMs });
  const summariser = await withAgentInstructions(writer.summariser, info, app);
  return { ...writer, ...(summariser && { summariser }), ...(stop && { signal: stop }) };
}

export function tellWriter(
  { summariser }: Pick<CompactOptions, 'summariser'>,
  { onProgress }: Pick<Request, 'onProgress'>,
): void {
  if (summariser) onProgress?.({ part: summariser.name, done: 0, total: 1 });
}

export async function answerOf(
  result: CompactionResult,
  {
    info,
    problem,
    newSdkSession,
  }: { info: SessionInfo; problem: ChosenModel['problem']; newSdkSession: boolean },
  app: CompactingApp,
): Promise<z.output<typeof Answer>> {
  const { compactionNotice, forgetConversation } = await import('../agent-sdk/compaction-notice.ts');
  if (newSdkSession) await forgetConversation(app, info.id);
  const notice = newSdkSession ? {} : await compactionNotice(app.store, info);
  return {
    ...toCompacted(result),
    ...(problem !== undefined && { modelProblem: problem }),
    ...notice,
  };
}

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
): Promise<Chosen> {
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
    const { summariserFor } = await import('../../agent/index.ts');
    return { summariser: await summariserFor(store, info, { opened, ...limit }) };
  }
  return isAlone ? { unasked: { by: opened.id, reason: OFFLINE } } : {};
}

/** The agent SDK writes no summaries: where it is named, the caller is answered so. */
async function chooseAlone({ state }: SessionInfo, asked: ModelNames, env: App['env']): Promise<ChosenModel> {
  const { chooseModel } = await import('../../models/index.ts');
  return chooseModel(state, { asked, open: { env } });
}

const OFFLINE = 'it only quotes and writes no summaries';

interface Asked extends ModelNames {
  readonly chatSessionId: string;
  readonly instructions?: string | undefined;
  readonly preset?: string | undefined;
  readonly keepRecentCount?: number | undefined;
  readonly keepTurns?: CompactionSettings['keep']['turns'];
  readonly range?: SeqRange | undefined;
  readonly waitMs?: number | undefined;
}

/** By the provider of the model that answers: how, and how much of the session, is for the provider to say. */
async function compactNatively(
  info: SessionInfo,
  { preset, keepRecentCount, keepTurns, range, provider, model, instructions, waitMs }: Asked,
  app: App & Partial<Pick<TurnApp, 'modelTimeoutMs' | 'agents'>>,
  { modelTimeoutMs = app.modelTimeoutMs, stop, onProgress }: Request,
): Promise<CompactionResult> {
  if ([preset, keepRecentCount, keepTurns, range].some((choice) => choice !== undefined))
    throw refused(
      'usage',
      'A provider summarises everything before the newest question. Leave out what should stay.',
    );
  const { opened, id, problem } = await chooseInSession(info, {
    model: { provider, model },
    openModel: { env: app.env },
    ...(app.agents === false && { agent: false }),
  });
  if (!opened) throw refused('model-not-configured', problem ?? `${id} cannot be used here.`);
  const { compactByProvider } = await import('../../agent/index.ts');
  onProgress?.({ part: id, done: 0, total: 1 });
  const how = { opened, instructions, timeoutMs: modelTimeoutMs, signal: stop };
  return app.sessions.use(info.id, (session) => compactByProvider(session, how), { waitMs });
}

/** The agent SDK writes no summaries: a session of it has the digest. */
async function chooseInSession(info: SessionInfo, choices: AgentOptions): Promise<ChosenModel> {
  const { chooseFor } = await import('../../agent/index.ts');
  return (await chooseFor(info, { ...choices, agentSdk: async (_, chosen) => chosen })).chosen;
}
