import { type OpenAgent, openAgent } from '../../agent/index.ts';
import { answering } from '../../models/index.ts';
import { sayAgentProblem } from '../../operations/index.ts';
import { standingCompaction } from '../standing-compaction.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type Chat, sessionOf } from './chat.ts';
import { takeModel } from './say-model.ts';

/**
 * The agent that runs the turns of the chat's session and shows its context. Opened with the first of them, and anew when
 * the chat goes on in another session. Each turn is prepared from the session as it is then, so a model that another process set
 * answers. When to compact is the session's to say.
 */
export async function agentOf(chat: Chat): Promise<OpenAgent> {
  const session = sessionOf(chat);
  const { open, knowledge, writer, agent, screen } = chat;
  if (open?.session === session) return open;
  const { model, timeout, window, recall } = chat.options;
  // The module that the session remembers is the session's to say too.
  const other = agent && agent.path !== session.info.state.settings.agentPath ? { agent } : {};
  chat.open = await openAgent(session, {
    knowledge,
    model,
    ...other,
    window,
    recall,
    compaction: standingCompaction(chat.options, writer),
    onChosen: (chosen) => takeModel(chat, answering(chosen)),
    onAgentProblem: (problem) => {
      if (problem !== chat.agentProblem) screen.warn(visibleLine(sayAgentProblem(problem)));
      chat.agentProblem = problem;
    },
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
  });
  return chat.open;
}
