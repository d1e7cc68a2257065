import { createTurns, type Turns, type TurnsOptions } from '../../agent/index.ts';
import type { ModelNames } from '../../models/index.ts';
import type { Session } from '../../session/index.ts';
import { sdkModel } from '../agent-sdk/sdk-model.ts';
import type { TurnParts } from '../turn-app.ts';

/** The choices of the process for every turn and every announcement. */
export function turnChoices(parts: TurnParts, asked: ModelNames): TurnsOptions {
  const { env, agents, knowledge, contexts, modelTimeoutMs, window, onNotice } = parts;
  return {
    knowledge,
    model: asked,
    agentSdk: (info, chosen) => sdkModel(parts, info, chosen),
    openModel: { env },
    window,
    // In a thread if the session is long.
    elsewhere: contexts.elsewhere,
    ...(!agents && { agent: false }),
    ...(modelTimeoutMs !== undefined && { timeoutMs: modelTimeoutMs }),
    onRefusedAgent: (file, id) =>
      onNotice(
        `Session ${id} names a module to run: ${file}. Nobody agreed to that here, so it was not run; "throughline chat --agent <file>" agrees to it.`,
      ),
  };
}

/** The turns of one call, with the model that the call or its AI session asks for. */
export function turnsFor(parts: TurnParts, asked: ModelNames): (session: Session) => Turns {
  return (session) => createTurns(session, turnChoices(parts, asked));
}
