import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { openWork, type Work, type WorkOptions } from '../../src/work/index.ts';

/** A small repository with a commit, that goes away with the test. */
export interface Repository extends Disposable {
  readonly path: string;
  write(file: string, text: string): void;
  git(...args: readonly string[]): string;
  commit(message: string): void;
}

export function makeRepository({ git = true }: { git?: boolean } = {}): Repository {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'throughline-work-'));
  const repository: Repository = {
    path: folder,
    write(file, text) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    },
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    commit(message) {
      repository.git('add', '-A');
      repository.git('commit', '-q', '-m', message);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  repository.write('src/login.ts', 'export const login = () => false;\n');
  repository.write('README.md', '# Shop\n');
  if (git) {
    repository.git('init', '-q', '-b', 'main');
    repository.commit('Begin the shop');
  }
  return repository;
}

export interface Workshop extends AsyncDisposable {
  readonly store: Store;
  readonly repository: Repository;
  readonly work: Work;
}

/** A repository, a store, and one feature with a task. */
export async function openWorkshop(
  options: Omit<WorkOptions, 'folder'> & { store?: Store } = {},
): Promise<Workshop> {
  const { store = createMemoryStore(), ...rest } = options;
  const repository = makeRepository();
  const work = await openWork(store, { folder: repository.path, ...rest });
  await work.setFeature('auth', { name: 'Sign in', spec: 'People sign in with a password.' });
  await work.setTask('auth', 'login', { title: 'Build the login', description: 'A form with two fields.' });
  return {
    store,
    repository,
    work,
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      repository[Symbol.dispose]();
    },
  };
}
