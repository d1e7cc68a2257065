import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Project, placeFolder } from '../../src/project/index.ts';
import type { Store } from '../../src/store/index.ts';

/** A folder in `parent`, with the files given by name. */
export function makeFolder(
  parent: string,
  name: string,
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = path.join(parent, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

export function git(folder: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', folder, ...who, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

/** A repository with one commit of its own. */
export function makeRepository(
  parent: string,
  name: string,
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = makeFolder(parent, name, { 'README.md': `# ${name}\n`, ...files });
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', `start of ${name}`);
  return folder;
}

export async function projectAt(store: Store, folder: string): Promise<Project> {
  return (await placeFolder(store, folder)).project;
}
