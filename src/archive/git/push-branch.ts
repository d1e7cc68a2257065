import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ThroughlineError } from '../../errors.ts';
import { createRedactor } from '../../secrets/index.ts';
import type { Look } from '../archive-branch.ts';
import { ArchiveRecord, FOLDER, readRecords, recordPath } from '../archive-record.ts';
import { choosePath } from '../choose-path.ts';
import type { GitBranch } from './git-branch.ts';
import { gitText, runGit, tryGit } from './run-git.ts';

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
  const incoming = `refs/throughline/incoming-${randomBytes(6).toString('hex')}`;
  const fetched = await tryGit([
    ...git,
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    remote,
    `+${ref}:${incoming}`,
  ]);
  if (fetched.code !== 0) throw await notPushed(remote, fetched.stderr);
  try {
    const theirs = await gitText([...git, 'rev-parse', incoming]);
    const list = await gitText([...git, 'rev-list', '--reverse', tip, `^${theirs}`]);
    const commits = list.split('\n').filter(Boolean);
    let base = theirs;
    for (const commit of commits) base = (await replay(branch, git, { commit, base })) ?? base;
    // Whoever archives meanwhile has moved the branch; then the next round takes theirs along.
    if (!(await branch.move(base, tip))) return 0;
    return commits.length;
  } finally {
    await tryGit([...git, 'update-ref', '-d', incoming]);
  }
}

async function replay(
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
  const paths = changed.split('\0').filter((name) => name.startsWith(FOLDER));
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

/** An address may hold a password, in what git says as well as in the name of the remote itself. */
async function notPushed(remote: string, stderr: string): Promise<ThroughlineError> {
  const redactor = createRedactor();
  const where = await redactor.text(remote);
  const said = (await redactor.text(stderr)).trim().split('\n').slice(-6).join('\n');
  return new ThroughlineError(
    'archive-not-pushed',
    `The archive is here, but ${where} did not take it:\n${said}`,
    { details: { remote: where } },
  );
}
