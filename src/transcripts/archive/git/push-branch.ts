import { setTimeout as delay } from 'node:timers/promises';
import { ThroughlineError } from '../../../errors.ts';
import { scrubbedCommits } from '../scrub/scrubbed-commits.ts';
import type { GitBranch } from './git-branch.ts';
import { keptHere, notPushed } from './not-pushed.ts';
import { commitsOf, replay, withIncoming } from './replay.ts';
import { tryGit } from './run-git.ts';

export interface Pushed {
  readonly remote: string;
  readonly branch: string;
  readonly commit: string;
  /** How many commits of ours were put on top of what others had pushed. */
  readonly rebased: number;
}

const TRIES = 10;

/**
 * Sends the branch to a remote. If others were there first, our commits are put on top of theirs and sent again: both
 * have everything. Nothing is forced, so nothing of theirs can get lost.
 */
export async function pushBranch(
  branch: GitBranch,
  { remote = 'origin', waitMs = 250 }: { remote?: string; waitMs?: number } = {},
): Promise<Pushed> {
  const git = [`--git-dir=${branch.gitDir}`];
  const ref = `refs/heads/${branch.branch}`;
  let rebased = 0;
  for (let attempt = 1; ; attempt++) {
    const { tip } = await branch.look();
    if (tip === undefined)
      throw new ThroughlineError(
        'archive-not-found',
        `There is no branch ${branch.name} yet: nothing to push.`,
      );
    const { code, stderr } = await tryGit([...git, 'push', '--quiet', remote, `${tip}:${ref}`]);
    if (code === 0) return { remote, branch: branch.branch, commit: tip, rebased };
    // What it says in which words depends on its version; whether others were faster can be seen.
    const overtaken = attempt < TRIES && (await isBehind(git, { remote, ref, tip }));
    if (!overtaken) throw await notPushed(remote, stderr);
    rebased += await rebase(branch, { git, remote, ref, tip });
    await delay(Math.random() * waitMs * attempt);
  }
}

/** Whether the remote has something that we have not. */
async function isBehind(
  git: readonly string[],
  { remote, ref, tip }: { remote: string; ref: string; tip: string },
): Promise<boolean> {
  const { code, stdout } = await tryGit([...git, 'ls-remote', remote, ref]);
  const [theirs] = stdout.toString('utf8').split('\t');
  if (code !== 0 || !theirs) return false;
  return (await tryGit([...git, 'merge-base', '--is-ancestor', theirs, tip])).code !== 0;
}

/** Puts our commits, oldest first, on top of theirs. A name that both have used is chosen anew. */
async function rebase(
  branch: GitBranch,
  { git, remote, ref, tip }: { git: readonly string[]; remote: string; ref: string; tip: string },
): Promise<number> {
  return withIncoming(git, { remote, ref }, async (theirs) => {
    await refuseScrubbed(branch, remote, await commitsOf(git, theirs, tip));
    const commits = await commitsOf(git, tip, theirs);
    let base = theirs;
    for (const commit of commits) base = (await replay(branch, git, { commit, base })) ?? base;
    // Another process may have archived and moved the branch; then the next round takes its commits along.
    if (!(await branch.move(base, tip))) return 0;
    return commits.length;
  });
}

/** Scrubbed text must not come back from a remote that still has it. */
async function refuseScrubbed(branch: GitBranch, remote: string, theirs: readonly string[]): Promise<void> {
  const scrubbed = scrubbedCommits(branch);
  if (!theirs.some((id) => scrubbed.has(id))) return;
  throw await keptHere(
    remote,
    (where) =>
      `${where} still has what was scrubbed here, and would bring it back. A push with force replaces what it has; copies that others have made of it stay as they are.`,
    { scrubbed: true },
  );
}
