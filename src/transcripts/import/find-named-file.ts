import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findFiles } from './find-files.ts';

const FILE = /\.jsonl$/i;
const ID = /^[0-9a-f]{8}[0-9a-f-]*$/i;

/**
 * The transcript that the command of an agent names: by its file, which may not be there yet, or by the id of a session,
 * which is in the name of its file where the agent keeps it (`--session <file>`, `--resume <id>`, `resume <id>`).
 */
export async function findNamedFile(words: readonly string[]): Promise<string | undefined> {
  const values = words.map((word) => /^--?[a-z-]+=(.*)$/i.exec(word)?.[1] ?? word);
  const named = values.find((word) => FILE.test(word) && !word.includes('\n'));
  if (named !== undefined) return path.resolve(named);
  const id = values.find((word) => ID.test(word));
  if (id === undefined) return undefined;
  const homes = findAgentHomes().map((home) => home.path);
  let newest: { path: string; mtimeMs: number } | undefined;
  for await (const file of findFiles(homes)) {
    const fits = FILE.test(file.path) && path.basename(file.path).includes(id.toLowerCase());
    if (fits && file.mtimeMs >= (newest?.mtimeMs ?? 0)) newest = file;
  }
  return newest?.path;
}

/** Where an agent keeps its sessions on this machine. */
interface AgentHome {
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
