import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  archiveOriginal,
  findRepository,
  openGitBranch,
  restoreOriginal,
  verifyArchive,
} from '../../../../src/transcripts/archive/index.ts';
import { planted } from '../../../text/secrets/planted.ts';
import { branchContract, file } from '../branch-contract.ts';
import { createRepository, gitIn, type Repository } from '../repository.ts';

const BRANCH = 'session-archive';

const inRepository = (options?: { bare: boolean }) => () => {
  const repository = createRepository(options);
  return {
    open: () => openGitBranch(repository.gitDir, BRANCH),
    [Symbol.dispose]: () => repository[Symbol.dispose](),
  };
};

branchContract('a repository with a work tree', inRepository());
branchContract('a bare repository', inRepository({ bare: true }));

/** States that a person may be in the middle of. */
const STATES: Readonly<Record<string, (repository: Repository) => void>> = {
  'nothing at all': () => {},
  'a dirty tree': ({ folder, git }) => {
    writeFileSync(path.join(folder, 'a.txt'), 'changed\n');
    writeFileSync(path.join(folder, 'b.txt'), 'staged\n');
    git('add', 'b.txt');
    writeFileSync(path.join(folder, 'b.txt'), 'staged and changed\n');
    writeFileSync(path.join(folder, 'c.txt'), 'untracked\n');
  },
  'a rebase that stopped': ({ folder, git }) => {
    git('checkout', '--quiet', '-b', 'topic');
    writeFileSync(path.join(folder, 'a.txt'), 'topic\n');
    git('commit', '--quiet', '-am', 'Topic');
    git('checkout', '--quiet', 'main');
    writeFileSync(path.join(folder, 'a.txt'), 'main\n');
    git('commit', '--quiet', '-am', 'Main');
    git('checkout', '--quiet', 'topic');
    expect(() => git('rebase', 'main')).toThrow();
  },
  'a detached head': ({ git }) => void git('checkout', '--quiet', '--detach'),
  'an index that somebody holds': ({ gitDir }) => writeFileSync(path.join(gitDir, 'index.lock'), ''),
};

describe('an archive on a branch', () => {
  it.each(Object.entries(STATES))('leaves everything as it is during %s', async (_, bring) => {
    using repository = createRepository();
    bring(repository);
    const before = repository.state();
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await archiveOriginal(branch, file('a.jsonl', '{"said":1}\n'));
    await archiveOriginal(branch, file('a.jsonl', '{"said":1}\n{"said":2}\n'));
    await verifyArchive(branch);
    expect(repository.state()).toEqual(before);
    expect((await restoreOriginal(branch, 'a.jsonl')).bytes.toString()).toBe('{"said":1}\n{"said":2}\n');
  });

  it('is an orphan with a commit for each archive', async () => {
    using repository = createRepository();
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    await archiveOriginal(branch, file('b.jsonl', '2\n'));
    expect(repository.git('log', '--format=%s', BRANCH).trim().split('\n')).toEqual([
      'Archive session: b.jsonl',
      'Archive session: a.jsonl',
    ]);
    expect(() => repository.git('merge-base', 'main', BRANCH)).toThrow();
    expect(repository.git('show', `${BRANCH}:archived-sessions/a.jsonl`)).toBe('1\n');
  });

  it('is found from a work tree beside, and from a folder below', async () => {
    using repository = createRepository();
    const beside = path.join(repository.root, 'beside');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', beside);
    const below = path.join(beside, 'deep', 'er');
    mkdirSync(below, { recursive: true });
    const own = path.join(repository.root, 'own.git');
    expect(await findRepository({ folder: below, own })).toBe(repository.gitDir);
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    expect(gitIn(beside, 'status', '--porcelain')).toBe('');
  });

  it('is kept in a separate repository where there is none', async () => {
    using repository = createRepository();
    const own = path.join(repository.root, 'own.git');
    expect(await findRepository({ folder: repository.root, own })).toBe(own);
    expect(gitIn(own, 'rev-parse', '--is-bare-repository').trim()).toBe('true');
    await expect(findRepository({ repo: repository.root, folder: '/', own })).rejects.toMatchObject({
      code: 'archive-unavailable',
    });
  });

  it('names the branch that is in the way', async () => {
    using repository = createRepository();
    repository.git('branch', `${BRANCH}/foo`);
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await expect(archiveOriginal(branch, file('a.jsonl', '1\n'))).rejects.toMatchObject({
      code: 'archive-unavailable',
      message: expect.stringContaining(`"${BRANCH}/foo" is in the way`),
    });
  });

  it('is not written while it is checked out', async () => {
    using repository = createRepository();
    repository.git('checkout', '--quiet', '-b', BRANCH);
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await expect(archiveOriginal(branch, file('a.jsonl', '1\n'))).rejects.toMatchObject({
      code: 'archive-unavailable',
    });
  });

  it('opens a vault that was locked with words only with the same ones', async () => {
    using repository = createRepository();
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    const text = `{"said":"ghp_${'Ab1'.repeat(12)}"}\n`;
    await archiveOriginal(branch, file('a.jsonl', text), { vault: true, vaultKey: 'open sesame' });
    const [vault] = readdirSync(branch.vault).map((name) =>
      readFileSync(path.join(branch.vault, name), 'utf8'),
    );
    expect(vault).not.toContain(Buffer.from(`ghp_${'Ab1'.repeat(12)}`).toString('base64'));
    const restored = await restoreOriginal(branch, 'a.jsonl', { vaultKey: 'open sesame' });
    expect(restored.bytes.toString()).toBe(text);
    for (const vaultKey of [undefined, 'open barley'])
      await expect(restoreOriginal(branch, 'a.jsonl', { vaultKey })).rejects.toMatchObject({
        code: 'archive-differs',
        message: expect.stringContaining('THROUGHLINE_VAULT_KEY'),
      });
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'redacted' }]);
    expect(await verifyArchive(branch, { vaultKey: 'open sesame' })).toMatchObject([{ state: 'whole' }]);
  });

  it('syncs the name of a vault as well as its content', async () => {
    using repository = createRepository();
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await using handle = await open(repository.folder, 'r');
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    const { sync } = prototype;
    const synced: boolean[] = [];
    const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      synced.push((await this.stat()).isDirectory());
      await Reflect.apply(sync, this, []);
    });
    try {
      await archiveOriginal(branch, file('a.jsonl', `ghp_${'Ab1'.repeat(12)}\n`), { vault: true });
    } finally {
      spy.mockRestore();
    }
    expect(synced).toEqual([false, true]);
  });

  it('notices a file that differs from the archived one', async () => {
    using repository = createRepository();
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    const look = await branch.look();
    await branch.commit(look, {
      files: new Map([['archived-sessions/a.jsonl', Buffer.from('2\n')]]),
      message: 'x',
    });
    expect(await verifyArchive(branch)).toEqual([{ path: 'archived-sessions/a.jsonl', state: 'damaged' }]);
    await expect(restoreOriginal(branch, 'a.jsonl')).rejects.toMatchObject({ code: 'archive-differs' });
  });

  it('holds no secret in any object, name or message, and the vault is its owner’s alone', async () => {
    using repository = createRepository();
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await fc.assert(
      fc.asyncProperty(fc.array(planted, { minLength: 8, maxLength: 12 }), async (secrets) => {
        const lines = secrets.map(({ secret }) =>
          JSON.stringify({ said: `so:\n${secret}`, raw: { secret } }),
        );
        const name = `${secrets.find(({ form }) => form === 'npm')?.secret ?? 'session'}.jsonl`;
        const text = `${lines.join('\n')}\n`;
        const { path: at } = await archiveOriginal(branch, file(name, text), { vault: true });
        const all =
          repository.allObjects().toString('latin1') + repository.git('log', '--all', '--format=%B');
        for (const { core } of secrets) expect(all).not.toContain(core);
        expect((await restoreOriginal(branch, at)).bytes.toString()).toBe(text);
      }),
      { numRuns: 10 },
    );
    const vault = path.join(repository.gitDir, 'throughline-vault');
    expect(statSync(vault).mode & 0o777).toBe(0o700);
    for (const one of readdirSync(vault)) expect(statSync(path.join(vault, one)).mode & 0o777).toBe(0o600);
  });
});
