import path from 'node:path';
import {
  giveConsent,
  type LoadedAgent,
  loadAgent,
  type OpenAgent,
  openAgent,
  readConsent,
  rememberedAgent,
} from '../../../agent/index.ts';
import { answering } from '../../../models/index.ts';
import { sayAgentProblem } from '../../../operations/index.ts';
import type { Settings } from '../../../record/index.ts';
import { standingCompaction } from '../standing-compaction.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type Chat, sessionOf } from './chat.ts';
import { takeModel } from './status-line.ts';

type Asking = Pick<Chat, 'options' | 'agent' | 'screen' | 'input'>;

/** The agent that was named on the command line. To name it is to agree that it is run, here and later. */
export async function loadNamedAgent({ agent }: Chat['options']): Promise<LoadedAgent | undefined> {
  if (agent === undefined) return undefined;
  const loaded = await loadAgent(agent);
  await giveConsent(loaded.path);
  return loaded;
}

/**
 * The agent that goes on with a session: the one asked for, or the one that the session was held with. A person is asked before
 * another one takes over, before a module is run that was not agreed to yet, and before going on without one that cannot be
 * loaded. `no`: the person would rather not.
 */
export async function chooseChatAgent(
  chat: Asking,
  settings: Settings,
): Promise<LoadedAgent | undefined | 'no'> {
  const { options, agent, screen, input } = chat;
  const { agentPath } = settings;
  const asked = options.agent === undefined ? agent : await loadNamedAgent(options);
  if (agentPath === undefined) return asked;
  const agree = async (warning: string) => {
    screen.warn(visibleLine(warning));
    // In a pipe the warning has to do: a script named the session and the agent.
    return !input.interactive || (await input.confirm('Continue? (y/n)'));
  };
  if (asked) {
    if (asked.path === agentPath) return asked;
    const warning = `Session created with ${agentPath}, using ${asked.path}.`;
    return (await agree(warning)) ? asked : 'no';
  }
  if (!(await mayRun(chat, path.resolve(agentPath)))) return undefined;
  const { agent: remembered, problem } = await rememberedAgent(settings);
  if (problem !== undefined && !(await agree(sayAgentProblem(problem)))) return 'no';
  return remembered;
}

/** False if the person at the terminal says no to a module that was not agreed to yet. */
async function mayRun({ screen, input }: Asking, file: string): Promise<boolean> {
  if (!input.interactive || (await readConsent(file)) !== 'not given') return true;
  screen.warn(`It names a module to run: ${visibleLine(file)}`);
  if (await input.confirm('Run it? (y/n)')) {
    await giveConsent(file);
    return true;
  }
  screen.say('Going on without it.');
  return false;
}

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
