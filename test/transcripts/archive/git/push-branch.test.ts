import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  archiveOriginal,
  listArchive,
  openGitBranch,
  pushBranch,
  restoreOriginal,
  verifyArchive,
} from '../../../../src/transcripts/archive/index.ts';
import { file } from '../branch-contract.ts';
import { createRepository, gitIn } from '../repository.ts';

const BRANCH = 'session-archive';

/** A remote, and clones of it that know nothing of each other. */
function createRemote(clones: number) {
  const remote = createRepository({ bare: true });
  const dirs = Array.from({ length: clones }, (_, n) => {
    const folder = path.join(remote.root, `clone-${n}`);
    gitIn(remote.root, 'clone', '--quiet', remote.folder, folder);
    return path.join(folder, '.git');
  });
  return { remote, dirs, [Symbol.dispose]: () => remote[Symbol.dispose]() };
}

describe('pushing an archive', () => {
  it('happens only when it is asked for', async () => {
    using place = createRemote(1);
    const branch = await openGitBranch(place.dirs[0]!, BRANCH);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    expect(place.remote.git('for-each-ref')).toBe('');
    await pushBranch(branch);
    expect(place.remote.git('show', `${BRANCH}:archived-sessions/a.jsonl`)).toBe('1\n');
  });

  it('puts ours on top of what others pushed first, also under a name that both have used', async () => {
    using place = createRemote(2);
    const [ours, theirs] = await Promise.all(place.dirs.map((dir) => openGitBranch(dir, BRANCH)));
    await archiveOriginal(theirs!, file('theirs.jsonl', 't\n'));
    await archiveOriginal(theirs!, file('both.jsonl', 'their version\n'));
    await archiveOriginal(theirs!, file('grown.jsonl', '1\n2\n3\n'));
    await pushBranch(theirs!);
    await archiveOriginal(ours!, file('ours.jsonl', 'o\n'));
    await archiveOriginal(ours!, file('both.jsonl', 'our version\n'));
    await archiveOriginal(ours!, file('grown.jsonl', '1\n2\n'));
    expect(await pushBranch(ours!)).toMatchObject({ remote: 'origin', rebased: 3 });
    const arrived = await openGitBranch(place.remote.gitDir, BRANCH);
    expect((await listArchive(arrived)).map(({ path: at }) => at.slice(18)).sort()).toEqual([
      'both.jsonl',
      'both~2.jsonl',
      'grown.jsonl',
      'ours.jsonl',
      'theirs.jsonl',
    ]);
    expect((await restoreOriginal(arrived, 'both~2.jsonl')).bytes.toString()).toBe('our version\n');
    expect((await restoreOriginal(arrived, 'grown.jsonl')).bytes.toString()).toBe('1\n2\n3\n');
    expect((await verifyArchive(arrived)).every(({ state }) => state === 'whole')).toBe(true);
    expect((await ours!.look()).tip).toBe((await arrived.look()).tip);
  });

  it('keeps the versions of a file with secrets in one place, and another secret in another one', async () => {
    using place = createRemote(2);
    const [ours, theirs] = await Promise.all(place.dirs.map((dir) => openGitBranch(dir, BRANCH)));
    const said = (letters: string) => `{"said":"ghp_${letters.repeat(12)}"}\n`;
    await archiveOriginal(theirs!, file('a.jsonl', said('Ab1')));
    await pushBranch(theirs!);
    await archiveOriginal(ours!, file('a.jsonl', said('Cd2')), { vault: true });
    await archiveOriginal(ours!, file('a.jsonl', `${said('Cd2')}more\n`), { vault: true });
    await pushBranch(ours!, { waitMs: 1 });
    expect((await listArchive(ours!)).map(({ path: at }) => at.slice(18)).sort()).toEqual([
      'a.jsonl',
      'a~2.jsonl',
    ]);
    expect((await restoreOriginal(ours!, 'a~2.jsonl')).bytes.toString()).toBe(`${said('Cd2')}more\n`);
    expect((await restoreOriginal(ours!, 'a.jsonl')).whole).toBe(false);
  });

  it('brings everything there when several push at once', async () => {
    using place = createRemote(4);
    const branches = await Promise.all(place.dirs.map((dir) => openGitBranch(dir, BRANCH)));
    await Promise.all(
      branches.map(async (branch, n) => {
        await archiveOriginal(branch, file(`s${n}.jsonl`, `${n}\n`));
        await pushBranch(branch, { waitMs: 50 });
      }),
    );
    const arrived = await listArchive(await openGitBranch(place.remote.gitDir, BRANCH));
    expect(arrived.map(({ record }) => record?.name).sort()).toEqual(branches.map((_, n) => `s${n}.jsonl`));
  });

  it('leaves the archive as it is when the remote refuses, and says why', async () => {
    using place = createRemote(1);
    const hooks = path.join(place.remote.gitDir, 'hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(path.join(hooks, 'pre-receive'), '#!/bin/sh\necho "not on my watch" >&2\nexit 1\n');
    chmodSync(path.join(hooks, 'pre-receive'), 0o755);
    const branch = await openGitBranch(place.dirs[0]!, BRANCH);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    await expect(pushBranch(branch)).rejects.toMatchObject({
      code: 'archive-not-pushed',
      message: expect.stringContaining('not on my watch'),
    });
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'whole' }]);
  });

  it('does not say the password of a remote that cannot be reached', async () => {
    using place = createRemote(1);
    const branch = await openGitBranch(place.dirs[0]!, BRANCH);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    const remote = 'http://bob:Xy7Xy7Xy7Xy7@127.0.0.1:1/none.git';
    const error = await pushBranch(branch, { remote }).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'archive-not-pushed' });
    expect(String(error)).not.toContain('Xy7Xy7');
  });
});
