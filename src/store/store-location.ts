import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const FILE = path.join('.throughline', 'throughline.db');

/**
 * The store that is meant when none is named: `THROUGHLINE_STORE`, the project's own (a `.throughline` folder here or
 * above that already holds one), or the one in the home folder.
 */
export function storeLocation({
  folder = process.cwd(),
  env = process.env,
}: {
  folder?: string;
  env?: NodeJS.ProcessEnv;
} = {}): string {
  if (env.THROUGHLINE_STORE) return path.resolve(folder, env.THROUGHLINE_STORE);
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    if (existsSync(path.join(here, FILE))) return path.join(here, FILE);
    if (here === path.dirname(here)) return path.join(env.HOME || homedir(), FILE);
  }
}
