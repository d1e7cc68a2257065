import { ThroughlineError } from '../../../errors.ts';
import type { GitBranch } from '../git/git-branch.ts';
import { keptHere, notPushed } from '../git/not-pushed.ts';
import { type Pushed, pushBranch } from '../git/push-branch.ts';
import { commitsOf, replay, withIncoming } from '../git/replay.ts';
import { gitText, tryGit } from '../git/run-git.ts';
import { rememberScrubbed, scrubbedCommits } from './scrubbed-commits.ts';

/**
 * Replaces the branch of a remote by the scrubbed one, if the remote has nothing but the old history. What others have archived
 * on top of that is brought here first, and has to be scrubbed as well.
 */
export async function pushScrubbed(
  branch: GitBranch,
  { remote = 'origin' }: { remote?: string } = {},
): Promise<Pushed> {
  const { git, ref } = branch;
  const { tip } = await branch.look();
  const listed = await tryGit([...git, 'ls-remote', remote, ref]);
  if (listed.code !== 0) throw await notPushed(remote, listed.stderr);
  const theirs = listed.stdout.toString('utf8').split('\t')[0]!;
  // Nothing to replace: it goes there as always.
  if (tip === undefined || theirs === '' || (await isPart(branch, theirs, tip)))
    return pushBranch(branch, { remote });
  if (!scrubbedCommits(branch).has(theirs)) await takeIn(branch, { remote, tip });
  const lease = `--force-with-lease=${ref}:${theirs}`;
  const { code, stderr } = await tryGit([...git, 'push', '--quiet', lease, remote, `${tip}:${ref}`]);
  if (code !== 0) throw await notPushed(remote, stderr);
  return { remote, branch: branch.branch, commit: tip, rebased: 0 };
}

async function isPart({ git }: GitBranch, commit: string, tip: string): Promise<boolean> {
  return (await tryGit([...git, 'merge-base', '--is-ancestor', commit, tip])).code === 0;
}

async function takeIn(branch: GitBranch, { remote, tip }: { remote: string; tip: string }): Promise<never> {
  const { git, ref } = branch;
  const count = await withIncoming(git, { remote, ref }, async (theirs) => {
    const scrubbed = scrubbedCommits(branch);
    const fresh = (await commitsOf(git, theirs, tip)).filter((id) => !scrubbed.has(id));
    let base = tip;
    for (const commit of fresh) base = (await replay(branch, git, { commit, base })) ?? base;
    if (!(await branch.move(base, tip)))
      throw new ThroughlineError('archive-busy', `Somebody archived to ${branch.name} meanwhile. Try again.`);
    // From now on they are here, so what the remote has may be replaced.
    rememberScrubbed(branch, [...fresh, await gitText([...git, 'rev-parse', theirs])]);
    return fresh.length;
  });
  throw await keptHere(
    remote,
    (where) =>
      `Others have archived on ${where} since it was scrubbed here, ${count} times. That is here now, and may hold the same secret: scrub again, then push with force.`,
    { taken: count },
  );
}
