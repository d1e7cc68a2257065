import { type PreparedTurn, type PrepareOptions, prepareTurn } from '../../agent/index.ts';
import { AGENT_SDK, type ModelNames } from '../../models/index.ts';
import { sdkModel } from '../agent-sdk/sdk-model.ts';
import type { TurnParts } from '../turn-app.ts';
import type { Prepare } from './runs.ts';

/** What the process chooses for every turn and every announcement. */
export function turnChoices(
  { env, agents, knowledge, modelTimeoutMs }: TurnParts,
  asked: ModelNames,
): Omit<PrepareOptions, 'announced'> {
  return {
    knowledge,
    model: asked,
    agentSdk: true,
    openModel: { env },
    ...(!agents && { agent: false }),
    ...(modelTimeoutMs !== undefined && { timeoutMs: modelTimeoutMs }),
  };
}

/** How a turn is run here. */
export function prepareRun(parts: TurnParts, asked: ModelNames): Prepare {
  return async ({ id, info }): Promise<PreparedTurn> => {
    const { chosen, options } = await prepareTurn(info, {
      ...turnChoices(parts, asked),
      onRefusedAgent: (file) =>
        parts.onNotice(
          `Session ${id} names a module to run: ${file}. Nobody agreed to that here, so it was not run; "throughline chat --agent <file>" agrees to it.`,
        ),
    });
    if (chosen.provider !== AGENT_SDK) return { chosen, options };
    return { chosen, options: { ...options, model: await sdkModel(parts, info, chosen) } };
  };
}
