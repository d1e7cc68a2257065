import { createTurns, type Turns, type TurnsOptions } from '../../agent/index.ts';
import type { ModelNames } from '../../models/index.ts';
import type { Session } from '../../session/index.ts';
import { canRunAgentSdk } from '../agent-sdk/agent-sdk.ts';
import { sdkModel } from '../agent-sdk/sdk-model.ts';
import type { TurnParts } from '../turn-app.ts';

/** The choices of the process for every turn and every announcement. */
export function turnChoices(parts: TurnParts, { provider, model }: ModelNames): TurnsOptions {
  const { env, agents, knowledge, contexts, modelTimeoutMs, window, recall, compaction, onNotice } = parts;
  return {
    knowledge,
    model: { provider, model },
    ...(canRunAgentSdk(parts) && { agentSdk: (info, chosen) => sdkModel(parts, info, chosen) }),
    openModel: { env },
    window,
    recall,
    ...(compaction && { compaction }),
    // In a thread if the session is long.
    elsewhere: contexts.elsewhere,
    ...(!agents && { agent: false }),
    ...(modelTimeoutMs !== undefined && { timeoutMs: modelTimeoutMs }),
    onAgentProblem: (problem, id) => onNotice(`Session ${id}: ${problem}`),
  };
}

/** The turns of one call, with the model that the call or its AI session asks for. */
export function turnsFor(parts: TurnParts, asked: ModelNames): (session: Session) => Turns {
  return (session) => createTurns(session, turnChoices(parts, asked));
}
