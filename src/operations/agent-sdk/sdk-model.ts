import type { LanguageModel } from 'ai';
import { projectOfSession } from '../../memory/index.ts';
import type { ChosenModel } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { TurnParts } from '../turn-app.ts';
import { requireAgentSdk } from './agent-sdk.ts';
import { createAgentSdkModel } from './agent-sdk-model.ts';
import { createSdkTurns } from './sdk-turns.ts';

/** The agent SDK as the model of a session, in the folder of its project. */
export async function sdkModel(
  parts: TurnParts,
  info: SessionInfo,
  { model, limits }: ChosenModel,
): Promise<Exclude<LanguageModel, string>> {
  const sdk = await requireAgentSdk(parts);
  const project = await projectOfSession(parts.store, info).catch(() => undefined);
  const cwd = project?.folders.find(({ leftAt }) => leftAt === undefined)?.path;
  return createAgentSdkModel({
    model,
    sdk,
    // The log is read when the turn begins: the turn before it may still be running now.
    turns: createSdkTurns(parts, info.id, { window: limits.window }),
    ...(cwd !== undefined && { cwd }),
  });
}
