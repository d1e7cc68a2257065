import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Where an agent keeps its sessions on this machine. */
export interface AgentHome {
  readonly agent: string;
  readonly path: string;
}

/** The places that exist. Each agent's own setting for its folder is respected. */
export function findAgentHomes({
  home = process.env.HOME || homedir(),
  folder = process.cwd(),
  env = process.env as Readonly<Record<string, string | undefined>>,
} = {}): AgentHome[] {
  const below = (base: string | undefined, fallback: string, ...rest: string[]) =>
    path.join(base || path.join(home, fallback), ...rest);
  const places: readonly (readonly [string, string])[] = [
    ['Claude Code', below(env.CLAUDE_CONFIG_DIR, '.claude', 'projects')],
    ['pi', below(env.PI_CODING_AGENT_DIR, '.pi/agent', 'sessions')],
    ['Codex', below(env.CODEX_HOME, '.codex', 'sessions')],
    ['Codex', below(env.CODEX_HOME, '.codex', 'archived_sessions')],
    ['Gemini CLI', below(undefined, '.gemini', 'tmp')],
    ['GitHub Copilot', below(env.COPILOT_HOME, '.copilot', 'session-state')],
    ['AIarmy', below(undefined, '.aiarmy', 'sessions')],
    ['Basic Agent Chat Loop', path.join(folder, '.chat-sessions')],
    ['Basic Agent Chat Loop', path.join(home, 'agent-conversations')],
    ['dagent', path.join(folder, '.dagent-worktrees')],
  ];
  return places.filter(([, place]) => existsSync(place)).map(([agent, place]) => ({ agent, path: place }));
}
