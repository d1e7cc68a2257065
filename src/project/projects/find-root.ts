import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

interface FolderRoot {
  /** The folder that the project is known by. For a second work tree of a repository that is the first one. */
  readonly root: string;
  /** The top of the files one works on, which may be another work tree of the same repository. */
  readonly top: string;
}

/** The folder as the system knows it: without links, in its real spelling. A folder that is gone stays as it was given. */
export function realFolder(folder: string): string {
  const absolute = path.resolve(folder);
  try {
    return realpathSync.native(absolute);
  } catch {
    return absolute;
  }
}

/**
 * The top of the project that a folder is in: the nearest one above it that is linked, a repository, or has a `.throughline`
 * folder; else the folder itself. The home folder and the root are no project, linked or not, unless one stands right in them.
 */
export function findRoot(folder: string, isLinked: (folder: string) => boolean = () => false): FolderRoot {
  const start = realFolder(folder);
  const home = realFolder(process.env.HOME || homedir());
  for (let here = start; ; here = path.dirname(here)) {
    const everybodys = here === home || here === path.dirname(here);
    if (everybodys && here !== start) return { root: start, top: start };
    if (isLinked(here)) return { root: here, top: here };
    if (!everybodys && existsSync(path.join(here, '.git'))) return { root: mainTree(here), top: here };
    if (!everybodys && isFolder(path.join(here, '.throughline'))) return { root: here, top: here };
    if (everybodys) return { root: start, top: start };
  }
}

/** The meaning of a folder to link: the very folder that is named, or the top of the project that one stands in. */
export function folderToLink(named: string | undefined): string | undefined {
  if (named === undefined) return findRoot(process.cwd()).root;
  return isFolder(named) ? realFolder(named) : undefined;
}

/** The top of the work tree that a folder is in; the folder itself if it is in none. */
export function repositoryTop(folder: string): string {
  const start = realFolder(folder);
  const home = realFolder(process.env.HOME || homedir());
  for (let here = start; here !== home && here !== path.dirname(here); here = path.dirname(here)) {
    if (existsSync(path.join(here, '.git'))) return here;
  }
  return start;
}

/** The work tree that the repository was made with; of a bare one, the repository itself. */
function mainTree(tree: string): string {
  try {
    const git = path.join(tree, '.git');
    if (statSync(git).isDirectory()) return tree;
    const [, link] = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8')) ?? [];
    if (link === undefined) return tree;
    const own = path.resolve(tree, link.trim());
    // Only a further work tree has this file; what else has a link for its `.git`, such as a submodule, stands for itself.
    const shared = realFolder(path.resolve(own, readFileSync(path.join(own, 'commondir'), 'utf8').trim()));
    return path.basename(shared) === '.git' ? path.dirname(shared) : shared;
  } catch {
    return tree;
  }
}

export function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
