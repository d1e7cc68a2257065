import { randomBytes } from 'node:crypto';
import type { Look } from '../archive-branch.ts';
import { ARCHIVE_FOLDER, ArchiveRecord, readRecords, recordPath } from '../archive-record.ts';
import { choosePath } from '../choose-path.ts';
import type { GitBranch } from './git-branch.ts';
import { notPushed } from './not-pushed.ts';
import { gitText, runGit, tryGit } from './run-git.ts';

/** Brings the branch of a remote here under a temporary name for as long as `work` takes. */
export async function withIncoming<T>(
  git: readonly string[],
  { remote, ref }: { remote: string; ref: string },
  work: (theirs: string) => Promise<T>,
): Promise<T> {
  const incoming = `refs/throughline/incoming-${randomBytes(6).toString('hex')}`;
  const how = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head'];
  const fetched = await tryGit([...git, ...how, remote, `+${ref}:${incoming}`]);
  if (fetched.code !== 0) throw await notPushed(remote, fetched.stderr);
  try {
    return await work(await gitText([...git, 'rev-parse', incoming]));
  } finally {
    await tryGit([...git, 'update-ref', '-d', incoming]);
  }
}

/** Commits that one has and the other has not, oldest first. */
export async function commitsOf(git: readonly string[], one: string, other: string): Promise<string[]> {
  const list = await gitText([...git, 'rev-list', '--reverse', one, `^${other}`]);
  return list.split('\n').filter(Boolean);
}

/** Puts what a commit has archived on top of another one; `undefined` if all of it is there already. */
export async function replay(
  branch: GitBranch,
  git: readonly string[],
  { commit, base }: { commit: string; base: string },
): Promise<string | undefined> {
  const changed = await gitText([
    ...git,
    'diff-tree',
    '--root',
    '-r',
    '-z',
    '--no-commit-id',
    '--name-only',
    commit,
  ]);
  const own = await branch.lookAt(commit);
  const onto = await branch.lookAt(base);
  const before = await lookBefore(branch, git, commit);
  const paths = changed.split('\0').filter((name) => name.startsWith(ARCHIVE_FOLDER));
  const replaced = await readRecords(branch, before, paths);
  const files = new Map<string, Uint8Array>();
  for (const path of paths) {
    const [data, kept] = [own.files.get(path), own.files.get(recordPath(path))];
    if (!data || !kept) continue;
    const [stored, text] = await branch.read([data.id, kept.id]);
    const record = ArchiveRecord.parse(JSON.parse(text!.toString('utf8')));
    const choice = await choosePath(branch, onto, {
      record,
      stored: stored!,
      replaces: replaced.get(path),
    });
    if (choice.how === 'known') continue;
    files.set(choice.path, stored!).set(recordPath(choice.path), text!);
  }
  if (files.size === 0) return undefined;
  const message = (await runGit([...git, 'log', '-1', '--format=%B', commit])).toString('utf8');
  return branch.commitOn(base, { files, message });
}

async function lookBefore(branch: GitBranch, git: readonly string[], commit: string): Promise<Look> {
  const { code, stdout } = await tryGit([...git, 'rev-parse', '--verify', '--quiet', `${commit}^`]);
  return branch.lookAt(code === 0 ? stdout.toString('utf8').trim() : undefined);
}
