import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { GitBranch } from '../git/git-branch.ts';

// A remote that still has commits from before a scrub looks as if it were ahead: taking them in would bring everything back.
// So the ids of replaced commits are kept beside the repository, one on a line.

/** Notes that these commits are no part of the branch any more. */
export function rememberScrubbed(branch: GitBranch, commits: readonly string[]): void {
  const all = new Set([...scrubbedCommits(branch), ...commits]);
  const file = fileOf(branch);
  writeFileSync(`${file}.draft`, `${[...all].join('\n')}\n`, { mode: 0o600 });
  renameSync(`${file}.draft`, file);
}

export function scrubbedCommits(branch: GitBranch): ReadonlySet<string> {
  try {
    return new Set(readFileSync(fileOf(branch), 'latin1').split('\n').filter(Boolean));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

function fileOf({ gitDir, ref }: GitBranch): string {
  return path.join(gitDir, `throughline-scrubbed-${encodeURIComponent(ref)}`);
}
