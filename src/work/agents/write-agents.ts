import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ThroughlineError } from '../../errors.ts';
import { AGENT_TYPES, type AgentType } from '../sessions/session-place.ts';
import { DEFAULT_AGENTS } from './default-agents.ts';
import type { AgentReader } from './read-agents.ts';

/** Writes the descriptions that come with the program as files to edit. Existing files are left alone. */
export async function writeAgents(
  { fileOf }: AgentReader,
  types: readonly AgentType[] = AGENT_TYPES,
): Promise<{ readonly type: AgentType; readonly file: string; readonly written: boolean }[]> {
  return Promise.all(
    types.map(async (type) => {
      const file = fileOf(type) ?? noFolder();
      await mkdir(path.dirname(file), { recursive: true });
      try {
        await writeFile(file, `${JSON.stringify(DEFAULT_AGENTS[type], null, 2)}\n`, { flag: 'wx' });
        return { type, file, written: true };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return { type, file, written: false };
      }
    }),
  );
}

function noFolder(): never {
  throw new ThroughlineError('usage', 'The project has no folder to write files into. Link it to one first.');
}
