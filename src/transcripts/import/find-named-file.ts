import path from 'node:path';
import { findAgentHomes } from './agent-homes.ts';
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
