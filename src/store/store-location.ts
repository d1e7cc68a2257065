import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const NAME = 'throughline.db';
const FOLDER = '.throughline';
const FILE = path.join(FOLDER, NAME);

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
  if (env.THROUGHLINE_STORE) return storeFile(env.THROUGHLINE_STORE, folder);
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    if (existsSync(path.join(here, FILE))) return path.join(here, FILE);
    if (here === path.dirname(here)) return path.join(env.HOME || homedir(), FILE);
  }
}

/**
 * The file that a name of a store means. A folder means the `throughline.db` in it, or the project's own store if only
 * that is there; a name that ends like a folder, or is `.throughline`, means one, which is made with the store.
 */
export function storeFile(named: string, from: string = process.cwd()): string {
  const location = path.resolve(from, named);
  const endsLikeFolder = /[\\/]$/.test(named) || path.basename(location) === FOLDER;
  const isFolder = existsSync(location) ? statSync(location).isDirectory() : endsLikeFolder;
  if (!isFolder) return location;
  const [own, project] = [path.join(location, NAME), path.join(location, FILE)];
  return !existsSync(own) && existsSync(project) ? project : own;
}
