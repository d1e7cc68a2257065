import path from 'node:path';
import { isThroughlineError } from '../../errors.ts';
import type { Settings } from '../../record/index.ts';
import { giveConsent, type LoadedAgent, loadAgent, readConsent } from '../../run/index.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { Chat } from './chat.ts';

type Asking = Pick<Chat, 'options' | 'agent' | 'screen' | 'input'>;

/** The agent that was named on the command line. Whoever names it agrees that it is run, here and later. */
export async function loadNamedAgent({ agent }: Chat['options']): Promise<LoadedAgent | undefined> {
  if (agent === undefined) return undefined;
  const loaded = await loadAgent(agent);
  await giveConsent(loaded.path);
  return loaded;
}

/**
 * The agent that goes on with a session: the one asked for, or the one that the session was held with. Another one is
 * asked about first, and so is one that nobody here agreed to run yet, and going on without one that cannot be loaded.
 * `no`: somebody would rather not.
 */
export async function chooseAgent(
  chat: Asking,
  { agentPath }: Settings,
): Promise<LoadedAgent | undefined | 'no'> {
  const { options, agent, screen, input } = chat;
  const asked = options.agent === undefined ? agent : await loadNamedAgent(options);
  if (agentPath === undefined) return asked;
  const agree = async (warning: string) => {
    screen.warn(warning);
    // Where nobody can be asked the warning has to do: a script named the session and the agent.
    return !input.interactive || (await input.confirm('Continue? (y/n)'));
  };
  if (asked) {
    if (asked.path === agentPath) return asked;
    const warning = `Session created with ${agentPath}, using ${asked.path}.`;
    return (await agree(warning)) ? asked : 'no';
  }
  if (!(await mayRun(chat, path.resolve(agentPath)))) return undefined;
  try {
    return await loadAgent(agentPath);
  } catch (error) {
    if (!isThroughlineError(error, 'agent-broken')) throw error;
    const warning = `Session created with ${agentPath}, which cannot be used here; going on without it.`;
    return (await agree(warning)) ? undefined : 'no';
  }
}

/** The path may have come with a file from anywhere, and a module does whatever it likes: a person has to agree first. */
async function mayRun({ screen, input }: Asking, file: string): Promise<boolean> {
  // What is not there cannot be run; loading it says so.
  if ((await readConsent(file)) !== 'not given') return true;
  if (input.interactive) {
    screen.warn(`It names a module to run: ${visibleLine(file)}`);
    if (await input.confirm('Run it? (y/n)')) {
      await giveConsent(file);
      return true;
    }
    screen.say('Going on without it.');
    return false;
  }
  screen.warn(
    `It names a module to run: ${visibleLine(file)}. Nobody agreed to that here, so it was not run; "--agent <file>" runs it.`,
  );
  return false;
}
