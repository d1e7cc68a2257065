import type { HeadPiece, Recalled } from '../context/index.ts';
import type { Message, SessionInfo } from '../record/index.ts';
import { type AgentOptions, chooseAgent, type SurroundOptions, surround } from './prepare-turn.ts';
import { requestHead } from './request/build-request.ts';
import { recallFor } from './turn.ts';

/** The parts of a request that do not depend on the model that answers. */
export interface PreparedHead {
  /** The agent module's instructions, the session's system prompt, the project's instructions and facts. */
  readonly head: readonly HeadPiece[];
  /** What compacted turns say about a question in the session as it is now. */
  recall(question: string, now: SessionInfo): Promise<readonly Recalled[]>;
  /** What the agent module wants kept in summaries. */
  readonly summaryInstructions?: string;
  /** Why the agent module that the session remembers is left out. */
  readonly agentProblem?: string;
}

/** The part of `prepareTurn` for requests that another program sends, to a model of its choice. */
export async function prepareHead(
  info: SessionInfo,
  { agent: given, ...options }: SurroundOptions & Pick<AgentOptions, 'agent'>,
): Promise<PreparedHead> {
  const { agent, problem } = await chooseAgent(info, given);
  const { head, recall } = await surround(info, options);
  return {
    head: requestHead(info, { head, ...(agent && { agent }) }),
    recall(question, now) {
      const body: Message = { kind: 'message', role: 'user', parts: [{ type: 'text', text: question }] };
      return recallFor(now, { body }, { recall, signal: NEVER });
    },
    ...(agent?.summaryInstructions !== undefined && { summaryInstructions: agent.summaryInstructions }),
    ...(problem !== undefined && { agentProblem: problem }),
  };
}

const NEVER = new AbortController().signal;
