import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ThroughlineError } from '../../errors.ts';
import type { AgentType } from '../sessions/session-place.ts';
import { AgentFile } from './agent-description.ts';
import { DEFAULT_AGENTS } from './default-agents.ts';

interface ReadAgent extends AgentFile {
  /** Where it was read; absent for what comes with the program. */
  readonly file?: string;
}

export interface AgentReader {
  /** The instructions of this agent type: the project's own file, or what comes with the program. */
  read(type: AgentType): Promise<ReadAgent>;
  /** Where the project's own is, or would be. */
  fileOf(type: AgentType): string | undefined;
}

/** Reads `.throughline/agents/<type>.json` of a project. A broken one is `agent-broken`; it is never replaced. */
export function createAgentReader(folder: string | undefined): AgentReader {
  const fileOf = (type: AgentType) =>
    folder === undefined ? undefined : path.join(folder, '.throughline', 'agents', `${type}.json`);
  return {
    fileOf,
    async read(type) {
      const file = fileOf(type);
      const text = file === undefined ? undefined : await textOf(file);
      if (file === undefined || text === undefined) return DEFAULT_AGENTS[type];
      return { ...parse(file, text), file };
    },
  };
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw broken(file, message, error);
  }
}

function parse(file: string, text: string): AgentFile {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw broken(file, (error as Error).message, error);
  }
  const result = AgentFile.safeParse(value);
  if (!result.success) throw broken(file, z.prettifyError(result.error), result.error);
  return result.data;
}

function broken(file: string, what: string, cause: unknown): ThroughlineError {
  return new ThroughlineError(
    'agent-broken',
    `The agent description ${file} cannot be read: ${what}. It has "role", "instructions", "allowedTools" and perhaps "toolInstructions". The file was left as it is.`,
    { cause, details: { file, what } },
  );
}
