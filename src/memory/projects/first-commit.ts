import { existsSync } from 'node:fs';
import path from 'node:path';
import { askGit } from '../../ask-git.ts';

/**
 * The oldest commit that a repository's history starts with: what stays the same when it is moved, renamed or cloned.
 * `undefined` outside a repository, without commits, or in a shallow clone whose history does not reach back.
 */
export async function firstCommit(folder: string): Promise<string | undefined> {
  if (!existsSync(path.join(folder, '.git')) && !existsSync(path.join(folder, 'HEAD'))) return undefined;
  if ((await askGit(folder, 'rev-parse', '--is-shallow-repository'))?.trim() !== 'false') return undefined;
  const roots = (await askGit(folder, 'rev-list', '--max-parents=0', 'HEAD'))?.trim().split('\n');
  const oldest = roots?.at(-1);
  return oldest && /^[0-9a-f]{40,64}$/.test(oldest) ? oldest : undefined;
}
