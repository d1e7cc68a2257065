import type { AgentOptions } from '../../agent/index.ts';
import type { CompactionResult } from '../../compaction/index.ts';
import type { ChosenModel, ModelNames } from '../../models/index.ts';
import type { CompactionSettings, SeqRange, SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import type { Request } from '../operation.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';

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
export async function compactNatively(
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
  const { compactByProvider } = await import('../../run/index.ts');
  onProgress?.({ part: id, done: 0, total: 1 });
  const how = { opened, instructions, timeoutMs: modelTimeoutMs, signal: stop };
  return app.sessions.use(info.id, (session) => compactByProvider(session, how), { waitMs });
}

/** The agent SDK writes no summaries: a session of it has the digest. */
export async function chooseInSession(info: SessionInfo, choices: AgentOptions): Promise<ChosenModel> {
  const { chooseFor } = await import('../../agent/index.ts');
  return (await chooseFor(info, { ...choices, agentSdk: async (_, chosen) => chosen })).chosen;
}
