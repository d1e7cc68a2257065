import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { openWork } from '../../src/work/index.ts';
import { makeRepository, openWorkshop, type Workshop } from './workshop.ts';

async function contextsIn({ store }: Workshop, id: string): Promise<number> {
  const notes = await store.read(id, { only: 'notes' });
  return notes.filter(({ body }) => body.kind === 'document' && body.id === 'context').length;
}

describe('the context of a session', () => {
  it('is gathered from the repository and the board', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    repository.write('CLAUDE.md', 'Use tabs.\n');
    repository.write('AGENTS.md', 'Run the tests.\n');
    repository.write('PROJECT.md', 'A shop.\n');
    repository.write('.gitignore', 'dist/\n');
    repository.write('dist/built.js', '1\n');
    repository.commit('Say how to work here');
    await work.setTask('auth', 'store', { title: 'Keep sessions' });
    await work.setTask('auth', 'login', { dependsOn: ['store'] });
    await work.setTask('auth', 'logout', { title: 'Sign out', dependsOn: ['login'] });
    const id = await work.createSession('dev-task', 'auth', 'login');
    const { project, feature, task, tokens } = await work.context(id);
    expect(project).toMatchObject({
      claudeMd: 'Use tabs.\n',
      projectMd: 'A shop.\n',
      instructions: [{ name: 'AGENTS.md', text: 'Run the tests.\n' }],
      structure: { root: path.basename(repository.path), files: 6 },
    });
    expect(project.structure.folders).toEqual([
      { path: '.', files: ['.gitignore', 'AGENTS.md', 'CLAUDE.md', 'PROJECT.md', 'README.md'] },
      { path: 'src', files: ['login.ts'] },
    ]);
    expect(project.recentCommits.map(({ subject, author }) => [subject, author])).toEqual([
      ['Say how to work here', 'Anna'],
      ['Begin the shop', 'Anna'],
    ]);
    expect(feature).toMatchObject({ name: 'Sign in', spec: 'People sign in with a password.' });
    expect(feature!.tasks.map(({ id: name, state }) => [name, state])).toEqual([
      ['login', 'planning'],
      ['store', 'planning'],
      ['logout', 'planning'],
    ]);
    expect(task).toEqual({
      title: 'Build the login',
      description: 'A form with two fields.',
      dependencies: [{ id: 'store', title: 'Keep sessions', state: 'planning' }],
      dependents: [{ id: 'logout', title: 'Sign out', state: 'planning' }],
    });
    expect(tokens).toBeGreaterThan(50);
  });

  it('is written again only when something that it is made from has changed', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    repository.write('docs/spec.md', 'First words.\n');
    await work.setFeature('auth', { specFile: 'docs/spec.md' });
    const id = await work.createSession('dev-task', 'auth', 'login');
    const ask = async () => (await work.buildRequest(id, 'Go on.')).systemPrompt;
    await ask();
    await ask();
    expect(await contextsIn(shop, id)).toBe(1);

    const changes: [seen: string | RegExp, change: () => unknown][] = [
      ['Other words.', () => repository.write('docs/spec.md', 'Other words.\n')],
      ['Use spaces.', () => repository.write('CLAUDE.md', 'Use spaces.\n')],
      ['cart.ts', () => repository.write('src/cart.ts', '1\n')],
      ['deep.ts', () => repository.write('src/a/b/deep.ts', '1\n')],
      ['Add a cart', () => repository.commit('Add a cart')],
      ['[in_dev]', () => work.moveTask('auth', 'login', 'in_dev')],
      ['Sign out', () => work.setTask('auth', 'logout', { title: 'Sign out' })],
    ];
    for (const [index, [seen, change]] of changes.entries()) {
      expect(await ask(), `before ${index}`).not.toContain(seen);
      await change();
      expect(await ask()).toContain(seen);
      expect(await contextsIn(shop, id)).toBe(index + 2);
    }
    await ask();
    expect(await contextsIn(shop, id)).toBe(changes.length + 1);
  });

  it('is not written again by another process that finds the same', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await using other = await openWork(shop.store, { folder: shop.repository.path });
    await other.buildRequest(id, 'Go on.');
    expect(await contextsIn(shop, id)).toBe(1);
  });

  it('comes from the work tree of the feature, if it has one', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    const tree = path.join(repository.path, '.dagent-worktrees', 'auth');
    repository.git('worktree', 'add', '-q', '-b', 'feature/auth', tree);
    await work.setFeature('auth', { folder: tree, branch: 'feature/auth' });
    const id = await work.createSession('dev-task', 'auth', 'login');
    repository.write('.dagent-worktrees/auth/src/only-here.ts', '1\n');
    expect((await work.buildRequest(id, 'Go on.')).systemPrompt).toContain('only-here.ts');
    // The tree belongs to the same repository, so it is the same board.
    await using there = await openWork(shop.store, { folder: tree });
    expect((await there.feature('auth')).name).toBe('Sign in');
  });

  it('lists what git tracks, and of the rest nothing that is fetched or built', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    repository.write('dist/tracked.js', '1\n');
    repository.commit('Keep what was built');
    repository.write('node_modules/dep/index.js', '1\n');
    repository.write('packages/api/node_modules/dep/index.js', '1\n');
    repository.write('packages/api/new.ts', '1\n');
    const id = await work.createSession('pm-feature', 'auth');
    const { structure } = (await work.context(id)).project;
    const listed = structure.folders.map(({ path: name }) => name);
    expect(listed).toEqual(['.', 'dist', 'packages/api', 'src']);
  });

  it('does without git, and without a specification that cannot be read', async () => {
    using repository = makeRepository({ git: false });
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    await work.setFeature('auth', { specFile: '../outside.md' });
    const id = await work.createSession('pm-feature', 'auth');
    const { project, feature } = await work.context(id);
    expect(project.structure.files).toBe(2);
    expect(project.recentCommits).toEqual([]);
    expect(feature!.spec).toMatch(/could not be read|outside/);
    symlinkSync('/etc/hostname', path.join(repository.path, 'linked.md'));
    await work.setFeature('auth', { specFile: 'linked.md' });
    expect((await work.context(id)).feature!.spec).toMatch(/lies outside/);
    await work.setFeature('auth', { specFile: 'none.md' });
    expect((await work.context(id)).feature!.spec).toMatch(/could not be read: ENOENT/);
  });

  it('is shown as it is now, and not written, while another one holds the session', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await using _ = await openSession(shop.store, id);
    shop.repository.write('CLAUDE.md', 'Use spaces.\n');
    expect((await shop.work.buildRequest(id, 'Go on.')).systemPrompt).toContain('Use spaces.');
    expect(await contextsIn(shop, id)).toBe(1);
  });
});
