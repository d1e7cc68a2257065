import { createHash, randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ThroughlineError } from '../../../errors.ts';
import type { ArchiveBranch, Change, Look, StoredFile } from '../archive-branch.ts';
import { type GitOptions, gitText, runGit, tryGit } from './run-git.ts';
import { loosePath, packNowAndThen } from './upkeep.ts';

export interface GitBranch extends ArchiveBranch {
  readonly gitDir: string;
  readonly branch: string;
  readonly ref: string;
  /** What each command of git begins with. */
  readonly git: readonly string[];
  /** As `commit`, with given parents: for replaying commits on top of others. */
  commitOn(tip: string | undefined, change: Change): Promise<string>;
  /** Moves the branch if it is still where it was. */
  move(to: string, from: string | undefined): Promise<boolean>;
  lookAt(tip: string | undefined): Promise<Look>;
  /** Throws if the branch is checked out. */
  refuseInUse(): Promise<void>;
}

/** An archive's durability is what a rewritten file relies on, so its objects are synced, which git leaves out by default. */
const SAFE = ['-c', 'core.fsync=all', '-c', 'gc.auto=0', '-c', 'core.quotePath=false'];

/**
 * A branch of a repository, written by plumbing alone: objects, a tree from a temporary index, a commit, and a ref that moves
 * only from where it was seen. No work tree, index or HEAD is looked at, so it makes no difference what they are in.
 */
export async function openGitBranch(gitDir: string, branch: string): Promise<GitBranch> {
  const git = [`--git-dir=${gitDir}`, ...SAFE];
  const run = (args: readonly string[], options?: GitOptions) => runGit([...git, ...args], options);
  const text = (args: readonly string[], options?: GitOptions) => gitText([...git, ...args], options);
  const ref = `refs/heads/${branch}`;
  if ((await tryGit(['check-ref-format', ref])).code !== 0)
    throw new ThroughlineError('usage', `"${branch}" cannot be the name of a branch.`);

  let written: { id: string; own: boolean }[] = [];

  async function lookAt(tip: string | undefined): Promise<Look> {
    const files = new Map<string, StoredFile>();
    if (tip === undefined) return { tip, files };
    const listing = (await run(['ls-tree', '-r', '-z', '--long', tip])).toString('utf8');
    for (const line of listing.split('\0').filter(Boolean)) {
      const [facts = '', name = ''] = line.split('\t', 2);
      const [, , id = '', bytes] = facts.split(/ +/);
      files.set(name, { id, bytes: Number(bytes) });
    }
    return { tip, files };
  }

  async function commitOn(tip: string | undefined, { files, message }: Change): Promise<string> {
    const index = path.join(tmpdir(), `throughline-index-${randomBytes(8).toString('hex')}`);
    const env = { GIT_INDEX_FILE: index };
    try {
      if (tip !== undefined) await run(['read-tree', tip], { env });
      let lines = '';
      for (const [file, bytes] of files) {
        const own = !isLoose(gitDir, bytes);
        const id = await text(['hash-object', '-w', '--no-filters', '--stdin'], { input: bytes });
        written.push({ id, own });
        lines += `100644 ${id}\t${file}\0`;
      }
      await run(['update-index', '-z', '--index-info'], { env, input: lines });
      const tree = await text(['write-tree'], { env });
      const parent = tip === undefined ? [] : ['-p', tip];
      const commit = await text(['commit-tree', tree, ...parent], {
        env: await identity(text),
        input: message,
      });
      const folders = await text(['ls-tree', '-r', '-d', tree]);
      // No other program has folders like these, or commits.
      const ids = folders.split('\n').flatMap((line) => /^\d+ tree ([0-9a-f]+)/.exec(line)?.[1] ?? []);
      for (const id of [commit, tree, ...ids]) written.push({ id, own: true });
      return commit;
    } finally {
      rmSync(index, { force: true });
      rmSync(`${index}.lock`, { force: true });
    }
  }

  async function move(to: string, from: string | undefined): Promise<boolean> {
    const command = from === undefined ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from}\0`;
    const { code, stderr } = await tryGit(
      [...git, 'update-ref', '-z', '--create-reflog', '-m', 'archive', '--stdin'],
      {
        input: command,
      },
    );
    if (code === 0) return true;
    // Waiting does not help here: a branch is a file or a folder, never both.
    const inTheWay = /'refs\/heads\/([^']+)' exists; cannot create/.exec(stderr)?.[1];
    if (inTheWay !== undefined)
      throw new ThroughlineError(
        'archive-unavailable',
        `The branch "${inTheWay}" is in the way: git has no "${branch}" beside it. Rename that branch, or choose another one for the archive.`,
        { details: { branch, inTheWay } },
      );
    if (/cannot lock ref|reference already exists|Unable to create .*\.lock/.test(stderr)) return false;
    throw new ThroughlineError('archive-unavailable', `${ref} could not be moved: ${stderr.trim()}`);
  }

  return {
    name: `${branch} of ${gitDir}`,
    atomic: true,
    vault: path.join(gitDir, 'throughline-vault'),
    gitDir,
    branch,
    ref,
    git,
    lookAt,
    commitOn,
    move,
    refuseInUse: () => refuseInUse(text, ref),
    async look() {
      const { code, stdout } = await tryGit([...git, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
      return lookAt(code === 0 ? stdout.toString('utf8').trim() : undefined);
    },
    read: async (ids) => splitBatch(await run(['cat-file', '--batch'], { input: `${ids.join('\n')}\n` })),
    async commit({ tip }, change) {
      await refuseInUse(text, ref);
      const commit = await commitOn(tip, change);
      if (!(await move(commit, tip))) return 'moved';
      await packNowAndThen({ git, gitDir, ref }, written);
      written = [];
      return { commit };
    },
  };
}

/** Whether the object exists already, as a loose file: another program has put it there. */
function isLoose(gitDir: string, bytes: Uint8Array): boolean {
  const ids = ['sha1', 'sha256'].map((kind) =>
    createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
  );
  return ids.some((id) => existsSync(loosePath(gitDir, id)));
}

/** Each object comes behind a line that says how long it is. */
function splitBatch(batch: Buffer): Buffer[] {
  const objects: Buffer[] = [];
  for (let at = 0; at < batch.length; ) {
    const end = batch.indexOf(0x0a, at);
    const [id, kind, bytes] = batch.toString('latin1', at, end).split(' ');
    if (kind !== 'blob')
      throw new ThroughlineError('archive-differs', `The object ${id} is not in the repository any more.`);
    const from = end + 1;
    objects.push(batch.subarray(from, from + Number(bytes)));
    at = from + Number(bytes) + 1;
  }
  return objects;
}

/** A work tree on the archive's branch would lose its files. */
async function refuseInUse(text: (args: readonly string[]) => Promise<string>, ref: string): Promise<void> {
  const places = (await text(['worktree', 'list', '--porcelain'])).split('\n\n');
  const place = places.find((one) => one.split('\n').includes(`branch ${ref}`));
  if (!place || /^bare$/m.test(place)) return;
  throw new ThroughlineError(
    'archive-unavailable',
    `The branch is checked out in ${/^worktree (.*)$/m.exec(place)?.[1]}. Choose another one, or switch to another one there.`,
    { details: { branch: ref } },
  );
}

/** Where git has no author configured, as on a build machine, the author is this program. */
async function identity(text: (args: readonly string[]) => Promise<string>): Promise<Record<string, string>> {
  const known = await text(['var', 'GIT_COMMITTER_IDENT']).then(
    () => true,
    () => false,
  );
  if (known) return {};
  const [name, email] = ['Throughline', 'throughline@localhost'];
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
