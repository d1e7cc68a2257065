import { homedir } from 'node:os';
import path from 'node:path';

/** Agents that a session can be handed to. */
const HANDOFF_AGENTS = ['pi', 'claude-code', 'codex'] as const;
export type HandoffAgent = (typeof HANDOFF_AGENTS)[number];

interface AgentPlace {
  /** The folder in which the agent looks for sessions of this project. */
  readonly folder: string;
  /** What to type to go on, once the file is there. */
  command(file: string): string;
}

/** Where an agent looks for the sessions of a project, by its own rules and settings. */
export function placeForAgent(
  agent: HandoffAgent,
  {
    project,
    home = process.env.HOME || homedir(),
    env = process.env as Readonly<Record<string, string | undefined>>,
  }: { project: string; home?: string; env?: Readonly<Record<string, string | undefined>> },
): AgentPlace {
  const inProject = (command: string) => `cd ${quoted(project)} && ${command}`;
  if (agent === 'pi') {
    const base = env.PI_CODING_AGENT_DIR || path.join(home, '.pi', 'agent');
    const name = `--${project.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;
    return {
      folder: path.join(base, 'sessions', name),
      command: (file) => inProject(`pi --session ${quoted(file)}`),
    };
  }
  if (agent === 'claude-code') {
    const base = env.CLAUDE_CONFIG_DIR || path.join(home, '.claude');
    return {
      folder: path.join(base, 'projects', project.replace(/[^A-Za-z0-9]/g, '-')),
      command: (file) => inProject(`claude --resume ${path.basename(file, '.jsonl')}`),
    };
  }
  return {
    folder: path.join(env.CODEX_HOME || path.join(home, '.codex'), 'sessions'),
    command: (file) =>
      inProject(`codex resume ${UUID_AT_END.exec(file)?.[1] ?? path.basename(file, '.jsonl')}`),
  };
}

const UUID_AT_END = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** Below the folder: Codex sorts its files by day, the others have them side by side. */
export function pathForAgent(agent: HandoffAgent, file: string): string {
  const [, year, month, day] = /^rollout-(\d{4})-(\d\d)-(\d\d)T/.exec(file) ?? [];
  return agent === 'codex' && year ? path.join(year, month!, day!, file) : file;
}

/** As a shell takes it for one word. */
function quoted(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
