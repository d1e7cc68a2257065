import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  archiveOriginal,
  compareOriginals,
  openGitBranch,
  pushBranch,
  restoreOriginal,
} from '../../../src/transcripts/archive/index.ts';
import { compactFile } from '../../../src/transcripts/shorten/index.ts';
import { createRepository, gitIn, type Repository } from '../archive/repository.ts';
import { contextOf } from './folder.ts';
import { longPi } from './long-files.ts';

const BRANCH = 'gitclaw-archive';
const ORIGINAL = longPi();

/** A repository with a session in it, as its agent commits it, and a remote beside. */
function createProject() {
  const repository = createRepository();
  const remote = path.join(repository.root, 'remote.git');
  gitIn(repository.root, 'init', '--quiet', '--bare', remote);
  repository.git('remote', 'add', 'origin', remote);
  const folder = path.join(repository.folder, 'state', 'sessions');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'issue-7.jsonl');
  writeFileSync(file, ORIGINAL);
  repository.git('add', '.');
  repository.git('commit', '--quiet', '-m', 'Session');
  return { repository, remote, file, folder, [Symbol.dispose]: () => repository[Symbol.dispose]() };
}

function shorten({ gitDir }: Repository, file: string, more = {}) {
  return compactFile(file, {
    maxLines: 30,
    keepTurns: 4,
    archive: async (original) =>
      archiveOriginal(await openGitBranch(gitDir, BRANCH), original, { vault: true }),
    ...more,
  });
}

describe('a session in a repository', () => {
  it('is summarised when it crosses the threshold, with its original on the archive branch', async () => {
    using project = createProject();
    const { repository, file } = project;
    const before = repository.state();
    expect(await shorten(repository, file, { maxLines: 89 })).toMatchObject({
      outcome: 'left',
      reason: 'short',
    });
    expect(repository.git('branch', '--list', BRANCH)).toBe('');
    const done = await shorten(repository, file, { maxLines: 88 });
    expect(done).toMatchObject({
      outcome: 'shortened',
      archived: { path: 'archived-sessions/issue-7.jsonl', whole: true },
    });
    expect(repository.git('show', `${BRANCH}:archived-sessions/issue-7.jsonl`)).toBe(ORIGINAL);
    expect(readFileSync(file).length).toBeLessThan(ORIGINAL.length / 2);
    const { said } = await contextOf('pi', readFileSync(file, 'utf8'));
    expect(said[0]).toBe('summary');
    expect(done.summary).toContain('price-3.ts');
    repository.git('checkout', '--quiet', '--', 'state');
    expect(repository.state()).toMatchObject({ head: (before as { head: string }).head, status: '' });
  });

  it('is archived again beside its first original when it has grown since', async () => {
    using project = createProject();
    const { repository, file } = project;
    await shorten(repository, file);
    const short = readFileSync(file, 'utf8');
    const more = longPi({ turns: 30 }).slice(ORIGINAL.length);
    writeFileSync(file, short + more);
    await shorten(repository, file);
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    expect((await restoreOriginal(branch, 'issue-7.jsonl')).bytes.toString()).toBe(ORIGINAL);
    expect((await restoreOriginal(branch, 'issue-7~2.jsonl')).bytes.toString()).toBe(short + more);
    const { said, report } = await contextOf('pi', readFileSync(file, 'utf8'));
    expect(report).toMatchObject({ damage: 0, branches: 0 });
    expect(said.filter((one) => one === 'summary')).toHaveLength(1);
  });

  it('is shortened although the remote refuses the archive, which stays here', async () => {
    using project = createProject();
    const { repository, file, remote } = project;
    const hook = path.join(remote, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\nexit 1\n');
    chmodSync(hook, 0o755);
    expect(await shorten(repository, file)).toMatchObject({ outcome: 'shortened' });
    const branch = await openGitBranch(repository.gitDir, BRANCH);
    await expect(pushBranch(branch)).rejects.toMatchObject({ code: 'archive-not-pushed' });
    expect((await restoreOriginal(branch, 'issue-7.jsonl')).bytes.toString()).toBe(ORIGINAL);
  });

  it('is not touched where there is nowhere to archive it', async () => {
    using project = createProject();
    const nowhere = { ...project.repository, gitDir: path.join(project.repository.root, 'none') };
    await expect(shorten(nowhere, project.file)).rejects.toThrow();
    expect(readFileSync(project.file, 'utf8')).toBe(ORIGINAL);
    expect(readdirSync(project.folder)).toEqual(['issue-7.jsonl']);
  });

  it('is the old file or the new one when the process dies at any step, and the next run ends it', async () => {
    for (const step of ['read', 'summarised', 'archived', 'drafted', 'replaced']) {
      using project = createProject();
      const { repository, file, folder } = project;
      const run = async (dieAt: string) => {
        const script = path.resolve('test/transcripts/shorten/compact-child.ts');
        const child = spawn(process.execPath, [script, file, repository.gitDir, BRANCH, dieAt]);
        const [, signal] = await once(child, 'exit');
        return signal;
      };
      expect(await run(step)).toBe('SIGKILL');
      const half = readFileSync(file, 'utf8');
      const branch = await openGitBranch(repository.gitDir, BRANCH);
      if (half !== ORIGINAL) {
        expect(step).toBe('replaced');
        expect((await contextOf('pi', half)).said[0]).toBe('summary');
        const original = { name: 'issue-7.jsonl', kind: 'file', bytes: Buffer.from(ORIGINAL) } as const;
        expect(await compareOriginals(branch, [original])).toMatchObject([{ state: 'same' }]);
      }
      expect(await run('')).toBe(null);
      expect((await contextOf('pi', readFileSync(file, 'utf8'))).said[0]).toBe('summary');
      expect((await restoreOriginal(branch, 'issue-7.jsonl')).bytes.toString()).toBe(ORIGINAL);
      expect(readdirSync(folder)).toEqual(['issue-7.jsonl']);
      expect(existsSync(path.join(repository.gitDir, 'index.lock'))).toBe(false);
    }
  }, 60_000);

  it('is shortened once when several processes are at it', async () => {
    using project = createProject();
    const { repository, file } = project;
    const script = path.resolve('test/transcripts/shorten/compact-child.ts');
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const child = spawn(process.execPath, [script, file, repository.gitDir, BRANCH], {
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        let said = '';
        child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
        await once(child, 'close');
        return said;
      }),
    );
    expect(outcomes.filter((said) => said === 'shortened')).toHaveLength(1);
    const { said, report } = await contextOf('pi', readFileSync(file, 'utf8'));
    expect(said.filter((one) => one === 'summary')).toHaveLength(1);
    expect(report).toMatchObject({ damage: 0 });
    expect(repository.git('rev-list', '--count', BRANCH).trim()).toBe('1');
  }, 30_000);
});
