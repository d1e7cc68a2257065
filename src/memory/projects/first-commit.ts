import { existsSync } from 'node:fs';
import path from 'node:path';

const PATIENCE_MS = 3000;

/**
 * The oldest commit that a repository's history starts with: what stays the same when it is moved, renamed or cloned.
 * `undefined` for what is no repository, has no commits, or is a shallow clone whose history does not reach back.
 */
export async function firstCommit(folder: string): Promise<string | undefined> {
  if (!existsSync(path.join(folder, '.git')) && !existsSync(path.join(folder, 'HEAD'))) return undefined;
  if ((await git(folder, 'rev-parse', '--is-shallow-repository'))?.trim() !== 'false') return undefined;
  const roots = (await git(folder, 'rev-list', '--max-parents=0', 'HEAD'))?.trim().split('\n');
  const oldest = roots?.at(-1);
  return oldest && /^[0-9a-f]{40,64}$/.test(oldest) ? oldest : undefined;
}

async function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  // Loaded when it is needed: most who use a memory never move a folder.
  const { execFile } = await import('node:child_process');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return new Promise((resolve) => {
    execFile(
      'git',
      ['-C', folder, ...args],
      { env, timeout: PATIENCE_MS, maxBuffer: 1024 * 1024, windowsHide: true },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
}
