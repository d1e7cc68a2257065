import { isThroughlineError } from '../../errors.ts';
import { type LoadedAgent, loadAgent } from '../../run/index.ts';
import type { Chat } from './chat.ts';

/**
 * The agent that goes on with a session: the one asked for, or the one that the session was held with. Another one is
 * asked about first, and so is going on without one that cannot be loaded. `no`: somebody would rather not.
 */
export async function chooseAgent(
  { options, agent, screen, input }: Pick<Chat, 'options' | 'agent' | 'screen' | 'input'>,
  { agentPath }: Readonly<Record<string, unknown>>,
): Promise<LoadedAgent | undefined | 'no'> {
  const asked = options.agent === undefined ? agent : await loadAgent(options.agent);
  if (typeof agentPath !== 'string') return asked;
  const agree = async (warning: string) => {
    screen.warn(warning);
    // Where nobody can be asked the warning has to do: a script named the session and the agent.
    return !input.interactive || (await input.confirm('Continue? (y/n)'));
  };
  if (asked) {
    if (asked.path === agentPath) return asked;
    const warning = `Session created with ${agentPath}, using ${asked.path}. Continue? (y/n)`;
    return (await agree(warning)) ? asked : 'no';
  }
  try {
    return await loadAgent(agentPath);
  } catch (error) {
    if (!isThroughlineError(error, 'agent-broken')) throw error;
    const warning = `Session created with ${agentPath}, which cannot be used here; going on without it.`;
    return (await agree(warning)) ? undefined : 'no';
  }
}
