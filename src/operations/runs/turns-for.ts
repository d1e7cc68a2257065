import { type ContextForOptions, createTurns, type Turns, type TurnsOptions } from '../../agent/index.ts';
import type { ModelNames } from '../../models/index.ts';
import type { SessionId } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { canRunAgentSdk } from '../agent-sdk/agent-sdk.ts';
import { sdkModel } from '../agent-sdk/agent-sdk-model.ts';
import { sayAgentProblem } from '../say-agent-problem.ts';
import type { TurnParts } from '../turn-app.ts';

/** The choices of the process for every turn, and for every announcement of one. */
export function announcedChoices(
  parts: TurnParts,
  { provider, model }: ModelNames,
): ContextForOptions & Pick<TurnsOptions, 'knowledge'> {
  const { env, agents, knowledge, contexts, modelTimeoutMs, window, recall, compaction } = parts;
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
  };
}

/** The turns of one call, with the model that the call or its AI session asks for. */
export function turnsFor(parts: TurnParts, asked: ModelNames): (session: Session) => Turns {
  const onAgentProblem = (problem: string, id: SessionId) =>
    parts.onNotice(`Session ${id}: ${sayAgentProblem(problem)}`);
  return (session) => createTurns(session, { ...announcedChoices(parts, asked), onAgentProblem });
}
