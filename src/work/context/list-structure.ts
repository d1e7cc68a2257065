import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { askGit, PASSED_BY } from '../../project/index.ts';
import type { ProjectStructure } from './session-context.ts';

const MOST_FOLDERS = 300;
const MOST_FILES = 40;
const MOST_WALKED = 2000;
/** What programs like this one keep beside the project is no part of it, and changes all the time. */
const OWN = /^\.(?:throughline|dagent|dagent-worktrees)\//;

export interface ListedStructure {
  readonly structure: ProjectStructure;
  /** Every folder that has a file in it: when one of them changes, so may the structure. */
  readonly folders: readonly string[];
}

/** The files of a project by folder: those that git tracks, and all others but ignored and built ones. */
export async function listStructure(folder: string): Promise<ListedStructure> {
  // Of files that git does not track yet; it lists what it tracks wherever that is.
  const built = [...PASSED_BY].map((name) => `--exclude=${name}/`);
  const listed = await askGit(
    folder,
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    ...built,
    '-z',
  );
  const found = listed === undefined ? await walk(folder) : listed.split('\0');
  const files = found.filter((file) => file !== '' && !OWN.test(file));
  const byFolder = Map.groupBy(files.sort(), (file) => path.posix.dirname(file));
  const folders = [...byFolder.keys()].sort();
  const shown = folders.slice(0, MOST_FOLDERS).map((name) => {
    const names = byFolder.get(name)!.map((file) => path.posix.basename(file));
    const more = names.length - MOST_FILES;
    return { path: name, files: names.slice(0, MOST_FILES), ...(more > 0 && { more }) };
  });
  const more = folders.length - shown.length;
  const structure = {
    root: path.basename(folder),
    files: files.length,
    folders: shown,
    ...(more > 0 && { more }),
  };
  return { structure, folders: ['.', ...withParents(folders)] };
}

/** A folder without files changes too when one is made in it. */
function withParents(folders: readonly string[]): string[] {
  const all = new Set<string>();
  for (let name of folders) {
    for (; name !== '.' && !all.has(name); name = path.posix.dirname(name)) all.add(name);
  }
  return [...all];
}

async function walk(folder: string): Promise<string[]> {
  const files: string[] = [];
  const waiting = ['.'];
  for (let looked = 0; waiting.length > 0 && looked < MOST_WALKED; looked++) {
    const here = waiting.shift()!;
    const entries = await readdir(path.join(folder, here), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const found = here === '.' ? entry.name : `${here}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !PASSED_BY.has(entry.name)) waiting.push(found);
      } else files.push(found);
    }
  }
  return files;
}
