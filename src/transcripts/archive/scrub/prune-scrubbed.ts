import { rmSync, statSync } from 'node:fs';
import type { GitBranch } from '../git/git-branch.ts';
import { gitText, runGit, tryGit } from '../git/run-git.ts';
import { loosePath, packAnew, removeDraftBranches } from '../git/upkeep.ts';
import { scrubbedCommits } from './scrubbed-commits.ts';

export interface Leftovers {
  /** Objects that only commits from before a scrub need, and that are still in the repository. */
  readonly objects: number;
  /** Refs that still need some of those commits. */
  readonly heldBy: readonly string[];
}

/** Remains of the old history of a scrubbed branch: git keeps objects without references until it cleans up. */
export async function findLeftovers(branch: GitBranch): Promise<Leftovers> {
  const { objects, heldBy } = await look(branch, []);
  return { objects: objects.length, heldBy };
}

/**
 * Deletes what only commits from before a scrub need, and nothing else: what any ref, reflog, index or work tree needs
 * stays. Objects in packs that are not ours stay as well, for taking one out would mean to write the pack anew.
 */
export async function pruneScrubbed(branch: GitBranch): Promise<Leftovers & { readonly removed: number }> {
  await forgetMoves(branch);
  const since = Date.now();
  const { objects, commits } = await look(branch, ['--reflog']);
  const gone = new Set(objects);
  removeDraftBranches(branch.gitDir);
  await packAnew(branch, { without: gone });
  // Commits last: as long as they are there, the rest can be found again after a kill.
  const inOrder = [...objects.filter((id) => !commits.has(id)), ...objects.filter((id) => commits.has(id))];
  for (const id of inOrder) {
    const file = loosePath(branch.gitDir, id);
    // Git touches an object that is written again: this one is needed from now on.
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? since) < since) rmSync(file, { force: true });
  }
  const left = await findLeftovers(branch);
  return { ...left, removed: objects.length - left.objects };
}

/** Where the branch was before it was scrubbed, and what a remote had: moves that need no undo. */
async function forgetMoves({ git, branch, ref }: GitBranch): Promise<void> {
  const all = await gitText([...git, 'for-each-ref', '--format=%(refname)', 'refs/remotes']);
  const same = all
    .split('\n')
    .filter((name) => name.startsWith('refs/remotes/') && name.endsWith(`/${branch}`));
  for (const name of [ref, ...same])
    await tryGit([...git, 'reflog', 'expire', '--expire=never', '--expire-unreachable=now', name]);
}

async function look(
  branch: GitBranch,
  more: readonly string[],
): Promise<{ objects: string[]; commits: ReadonlySet<string>; heldBy: string[] }> {
  const { git } = branch;
  const commits = new Set(await present(git, [...scrubbedCommits(branch)]));
  if (commits.size === 0) return { objects: [], commits, heldBy: [] };
  const needed = new Set(await reached(git, ['--all', '--indexed-objects', ...more], ''));
  const how = ['--no-walk', '--missing=allow-any', '--stdin'];
  const theirs = await reached(git, how, `${[...commits].join('\n')}\n`);
  const held = [...commits].filter((id) => needed.has(id));
  return {
    objects: await present(
      git,
      [...new Set(theirs)].filter((id) => !needed.has(id)),
    ),
    commits,
    heldBy: held.length === 0 ? [] : await holders(branch, held),
  };
}

async function reached(git: readonly string[], how: readonly string[], input: string): Promise<string[]> {
  const listed = await runGit([...git, 'rev-list', '--objects', ...how], { input });
  return listed
    .toString('latin1')
    .split('\n')
    .flatMap((line) => line.split(' ', 1)[0] || []);
}

async function present(git: readonly string[], ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const listed = await gitText([...git, 'cat-file', '--batch-check'], { input: `${ids.join('\n')}\n` });
  return listed.split('\n').flatMap((line) => (/ missing$/.test(line) ? [] : (line.split(' ', 1)[0] ?? [])));
}

/** The other refs that have some of these commits. A ref with a commit has its ancestors, so the first ones are enough. */
async function holders({ git, ref }: GitBranch, held: readonly string[]): Promise<string[]> {
  const input = `${held.join('\n')}\n`;
  const listed = await gitText([...git, 'rev-list', '--no-walk', '--parents', '--stdin'], { input });
  const some = new Set(held);
  const first = listed
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([id, ...parents]) => id && !parents.some((parent) => some.has(parent)));
  const args = first.flatMap(([id]) => ['--contains', id!]);
  const names = await gitText([...git, 'for-each-ref', '--format=%(refname)', ...args]);
  return names.split('\n').filter((name) => name !== '' && name !== ref);
}
