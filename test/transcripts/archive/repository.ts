import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A real repository for one test, with git as nobody has configured it. */
export interface Repository extends Disposable {
  readonly root: string;
  /** The work tree. */
  readonly folder: string;
  readonly gitDir: string;
  git(...args: string[]): string;
  /** Everything that an archive must not touch. */
  state(): unknown;
  /** The bytes of every object there is, reachable or not. */
  allObjects(): Buffer;
}

const ENV = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Sally',
  GIT_AUTHOR_EMAIL: 'sally@example.com',
  GIT_COMMITTER_NAME: 'Sally',
  GIT_COMMITTER_EMAIL: 'sally@example.com',
};

export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    env: ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();
}

export function createRepository({ bare = false } = {}): Repository {
  const root = mkdtempSync(path.join(tmpdir(), 'throughline-archive-'));
  const folder = path.join(root, 'work');
  mkdirSync(folder);
  gitIn(folder, 'init', '--quiet', '--initial-branch=main', ...(bare ? ['--bare'] : []));
  const gitDir = bare ? folder : path.join(folder, '.git');
  if (!bare) {
    writeFileSync(path.join(folder, 'a.txt'), 'one\n');
    gitIn(folder, 'add', '.');
    gitIn(folder, 'commit', '--quiet', '-m', 'First');
  }
  const git = (...args: string[]) => gitIn(folder, ...args);
  return {
    root,
    folder,
    gitDir,
    git,
    state: () => ({
      head: readFileSync(path.join(gitDir, 'HEAD'), 'utf8'),
      main: bare ? '' : git('rev-parse', 'HEAD'),
      status: bare ? '' : git('status', '--porcelain=v2', '--untracked-files=all'),
      stash: git('for-each-ref', 'refs/stash'),
      index: existsSync(path.join(gitDir, 'index')) && hashOf(readFileSync(path.join(gitDir, 'index'))),
    }),
    allObjects: () =>
      execFileSync('git', ['-C', folder, 'cat-file', '--batch', '--batch-all-objects'], {
        env: ENV,
        maxBuffer: 1 << 30,
      }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
