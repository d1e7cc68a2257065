import { realpath } from 'node:fs/promises';
import { ThroughlineError } from '../../errors.ts';
import { settingEntry } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { type LoadedAgent, loadAgent } from './load-agent.ts';

/** Another agent than the one that the session remembers. */
export interface AgentChange {
  readonly from: string;
  readonly to: string;
  /** What to ask a person. */
  readonly question: string;
}

export interface UseAgentOptions {
  /** Asked before another agent takes over. Without it that is `agent-differs`. */
  readonly confirm?: (change: AgentChange) => boolean | Promise<boolean>;
  readonly cwd?: string;
}

/**
 * Loads the agent that is to answer in a session, and remembers it there: the one at `file`, or the one remembered. If the
 * session remembers another, a person is asked first; `undefined` if there is none at all.
 */
export async function useAgent(
  session: Session,
  file?: string,
  { confirm, cwd = process.cwd() }: UseAgentOptions = {},
): Promise<LoadedAgent | undefined> {
  const { agentPath: remembered } = session.info.state.settings;
  const wanted = file ?? remembered;
  if (wanted === undefined) return undefined;
  const agent = await loadAgent(wanted, { cwd });
  if (remembered !== undefined && !(await isSameFile(remembered, agent.path))) {
    await ask({ from: remembered, to: agent.path, session: session.id }, confirm);
  }
  await remember(session, agent);
  return agent;
}

async function ask(
  { from, to, session }: { from: string; to: string; session: string },
  confirm: UseAgentOptions['confirm'],
): Promise<void> {
  const question = `Session created with ${from}, using ${to}. Continue?`;
  if (!confirm) {
    throw new ThroughlineError(
      'agent-differs',
      `Session "${session}" was held with the agent at ${from}, and you want the one at ${to}. Say that you want to go on with another agent, or use the first.`,
      { details: { session, from, to } },
    );
  }
  if (await confirm({ from, to, question })) return;
  throw new ThroughlineError('cancelled', `The session stays with the agent at ${from}.`, {
    details: { session, from, to },
  });
}

async function remember(session: Session, { name, path }: LoadedAgent): Promise<void> {
  const { settings } = session.info.state;
  const entries = [
    ...(settings.agent === name ? [] : [settingEntry('agent', name, { by: 'user' })]),
    ...(settings.agentPath === path ? [] : [settingEntry('agentPath', path, { by: 'user' })]),
  ];
  if (entries.length > 0) await session.append(entries);
}

/** A folder may be reached in several ways; the file is what counts. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const real = (file: string) => realpath(file).catch(() => file);
  return a === b || (await real(a)) === (await real(b));
}
