import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tryGit } from '../../../../src/transcripts/archive/git/run-git.ts';
import { adoptPacks, packAnew, packsOf } from '../../../../src/transcripts/archive/git/upkeep.ts';
import {
  archiveOriginal,
  openGitBranch,
  pushBranch,
  verifyArchive,
} from '../../../../src/transcripts/archive/index.ts';
import { type NewCommit, writeHistory } from '../../../../src/transcripts/archive/scrub/write-history.ts';
import { file } from '../branch-contract.ts';
import { createRepository, gitIn } from '../repository.ts';

const BRANCH = 'session-archive';
const AS_IT_IS = { redact: false };

/** Enough to be packed at once, and nothing that can be made smaller. */
const big = (name: string) => file(name, `${randomBytes(400_000).toString('base64')}\n`);

const missing = (folder: string) => gitIn(folder, 'fsck', '--full', '--no-dangling');
const packs = (gitDir: string) =>
  readdirSync(path.join(gitDir, 'objects', 'pack')).filter((name) => name.endsWith('.pack'));

describe('packing an archive', () => {
  it('leaves objects that another branch has as well, also when the branch is deleted', async () => {
    using repository = createRepository();
    const own = big('s.txt');
    writeFileSync(path.join(repository.folder, 's.txt'), own.bytes);
    repository.git('add', '.');
    repository.git('commit', '--quiet', '-m', 'Session');
    await archiveOriginal(await openGitBranch(repository.gitDir, BRANCH), own, AS_IT_IS);
    repository.git('branch', '--quiet', '-D', BRANCH);
    await archiveOriginal(await openGitBranch(repository.gitDir, BRANCH), big('t.txt'), AS_IT_IS);
    expect(missing(repository.folder)).toBe('');
    expect(Buffer.from(repository.git('show', 'main:s.txt')).equals(own.bytes)).toBe(true);
  });

  it('keeps objects that were committed elsewhere after they were archived', async () => {
    using repository = createRepository();
    const own = big('s.txt');
    await archiveOriginal(await openGitBranch(repository.gitDir, BRANCH), own, AS_IT_IS);
    // Git finds the object in our pack and writes none of its own.
    writeFileSync(path.join(repository.folder, 's.txt'), own.bytes);
    repository.git('add', '.');
    repository.git('commit', '--quiet', '-m', 'Session');
    repository.git('branch', '--quiet', '-D', BRANCH);
    await archiveOriginal(await openGitBranch(repository.gitDir, BRANCH), big('t.txt'), AS_IT_IS);
    expect(missing(repository.folder)).toBe('');
  });

  it('keeps what a push has put aside, since others had more of it', async () => {
    using remote = createRepository({ bare: true });
    const [ours, theirs] = ['ours', 'theirs'].map((name) => {
      gitIn(remote.root, 'clone', '--quiet', remote.folder, path.join(remote.root, name));
      return path.join(remote.root, name);
    }) as [string, string];
    const begun = big('s.txt');
    const more = file('s.txt', Buffer.concat([begun.bytes, Buffer.from('more\n')]));
    const there = await openGitBranch(path.join(theirs, '.git'), BRANCH);
    await archiveOriginal(there, more, AS_IT_IS);
    await pushBranch(there);
    writeFileSync(path.join(ours, 's.txt'), begun.bytes);
    gitIn(ours, 'add', '.');
    gitIn(ours, 'commit', '--quiet', '-m', 'Session');
    const here = await openGitBranch(path.join(ours, '.git'), BRANCH);
    await archiveOriginal(here, begun, AS_IT_IS);
    await pushBranch(here, { waitMs: 1 });
    await archiveOriginal(here, big('t.txt'), AS_IT_IS);
    await archiveOriginal(here, big('u.txt'), AS_IT_IS);
    expect(missing(ours)).toBe('');
  });

  it('has one pack and no copies beside it, however often it was packed', async () => {
    using repository = createRepository({ bare: true });
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    for (const name of ['a', 'b', 'c']) await archiveOriginal(branch, big(`${name}.txt`), AS_IT_IS);
    expect(packs(repository.gitDir)).toHaveLength(1);
    expect(repository.git('count-objects')).toMatch(/^0 objects/);
    expect((await verifyArchive(branch)).every(({ state }) => state === 'whole')).toBe(true);
  });

  it('finds the versions of a file among many whose names end alike', async () => {
    using repository = createRepository({ bare: true });
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    const texts = Array.from({ length: 30 }, () => '');
    async function* commits(): AsyncGenerator<NewCommit> {
      for (let day = 0; day < 8; day++) {
        for (const [n, before] of texts.entries()) {
          texts[n] = `${before}${randomBytes(3000).toString('base64')}\n`;
          const author = `Sally <sally@example.com> ${1_700_000_000 + day} +0000`;
          const change = { path: `session-${n}-of-an-agent-somewhere.jsonl`, blob: Buffer.from(texts[n]) };
          yield { author, committer: author, message: `Day ${day}`, changes: [change] };
        }
      }
    }
    await branch.move(await writeHistory(branch.git, undefined, commits()), undefined);
    await adoptPacks(branch, packsOf(repository.gitDir));
    await packAnew(branch);
    const [pack] = packs(repository.gitDir);
    const size = statSync(path.join(repository.gitDir, 'objects', 'pack', pack!)).size;
    const newest = texts.reduce((sum, text) => sum + deflateSync(text).length, 0);
    expect(size / newest).toBeLessThan(1.3);
  });
});

it('listens no longer than it feeds git, however much that is', async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => warnings.push(name);
  process.on('warning', hear);
  async function* pieces() {
    for (let n = 0; n < 40; n++) yield Buffer.alloc(300_000, n);
  }
  expect((await tryGit(['hash-object', '--stdin'], { input: pieces() })).code).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', hear);
  expect(warnings).toEqual([]);
});
