import { projectOfSession } from '../../memory/index.ts';
import type { ChosenModel } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { TurnOptions } from '../../run/index.ts';
import type { Service } from '../service.ts';
import { requireAgentSdk } from './agent-sdk.ts';
import { createAgentSdkModel } from './agent-sdk-model.ts';
import { createSdkTurns } from './sdk-turns.ts';

/** How a turn is run by the agent SDK: it keeps its own context, so nothing is compacted for it, and is asked once. */
export async function sdkOptions(
  service: Service,
  info: SessionInfo,
  { model, limits }: ChosenModel,
): Promise<TurnOptions> {
  const { store } = service;
  const sdk = await requireAgentSdk(service);
  const { systemPrompt } = info.state.settings;
  const project = await projectOfSession(store, info).catch(() => undefined);
  const cwd = project?.folders.find(({ leftAt }) => leftAt === undefined)?.path;
  return {
    compaction: false,
    retry: { times: 0 },
    head: systemPrompt !== undefined ? [{ part: 'system', text: systemPrompt }] : [],
    model: createAgentSdkModel({
      model,
      sdk,
      // The log is read when the turn begins: the turn before it may still be running now.
      turns: createSdkTurns(service, info.id, { window: limits.window }),
      ...(cwd !== undefined && { cwd }),
    }),
  };
}
