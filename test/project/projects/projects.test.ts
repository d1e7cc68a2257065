import { renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addFact,
  findProject,
  folderOf,
  likelyMoved,
  linkFolder,
  linkLabel,
  listProjects,
  offerLinks,
  openProject,
  projectOfSession,
  readMemory,
  sessionsOf,
  showFacts,
  surveyProjects,
} from '../../../src/project/index.ts';
import { createSession, purgeSession, trashSession } from '../../../src/session/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { STORES } from '../../session/stores.ts';
import { git, makeFolder, makeRepository, projectAt } from '../benches.ts';

const source = { by: 'person', name: 'Anna' } as const;

async function say(store: Store, id: string, project?: string): Promise<void> {
  const session = await createSession(store, { id, ...(project !== undefined && { project }) });
  await session.close();
}

async function knows(store: Store, folder: string): Promise<string[]> {
  return showFacts(await readMemory(store, await projectAt(store, folder))).map(({ text }) => text);
}

describe.each(STORES)('a project in a $kind store', ({ open }) => {
  it('is the repository that a folder is in, and in no list of sessions', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop', { 'src/deep/a.ts': '' });
    await addFact(bench.store, await projectAt(bench.store, path.join(shop, 'src/deep')), 'One', { source });
    expect(await knows(bench.store, shop)).toEqual(['One']);
    expect((await bench.store.list({ limit: 9 })).sessions).toEqual([]);
    expect(await bench.store.count()).toEqual({ active: 0, archived: 0, trashed: 0 });
  });

  it('is made once, by however many at the same moment', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = await projectAt(bench.store, makeFolder(temp.path, 'shop'));
    const made = await Promise.all(Array.from({ length: 5 }, () => openProject(bench.store, shop)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await listProjects(bench.store)).toHaveLength(1);
  });

  it.each([
    { why: 'they differ in case', names: ['Shop', 'shop'] },
    { why: 'one is written with a combining accent', names: ['caf\u00e9', 'cafe\u0301'] },
    { why: 'only letters outside of ASCII differ', names: ['日本', '中国'] },
    { why: 'one has a name that Windows reserves', names: ['con', 'nul'] },
    { why: 'they are very long', names: ['x'.repeat(200), `${'x'.repeat(199)}y`] },
  ])('has its own memory although $why', async ({ names }) => {
    await using bench = await open();
    using temp = tempFolder();
    const folders = names.map((name) => makeFolder(temp.path, name));
    for (const [n, folder] of folders.entries())
      await addFact(bench.store, await projectAt(bench.store, folder), `Fact ${n}`, { source });
    expect(await Promise.all(folders.map((folder) => knows(bench.store, folder)))).toEqual([
      ['Fact 0'],
      ['Fact 1'],
    ]);
  });

  it('is the same through a link to its folder', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = makeFolder(temp.path, 'shop');
    symlinkSync(shop, path.join(temp.path, 'link'));
    await addFact(bench.store, await projectAt(bench.store, shop), 'One', { source });
    expect(await knows(bench.store, path.join(temp.path, 'link'))).toEqual(['One']);
  });

  it('is shared by all work trees of one repository, wherever they are', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop');
    git(shop, 'worktree', 'add', '-q', path.join(temp.path, 'elsewhere'));
    await addFact(bench.store, await projectAt(bench.store, path.join(temp.path, 'elsewhere')), 'One', {
      source,
    });
    expect(await knows(bench.store, shop)).toEqual(['One']);
  });

  it('has the sessions that name it by id, by its folder, by a folder in it, or by a label', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const folder = makeRepository(temp.path, 'shop', { 'packages/api/a.ts': '' });
    const other = makeRepository(temp.path, 'shop/vendor/lib');
    const shop = await openProject(store, await projectAt(store, folder));
    await linkLabel(store, shop, 'the shop');
    for (const [id, label] of [
      ['by-id', shop.id],
      ['by-folder', folder],
      ['below', path.join(folder, 'packages/api')],
      ['by-label', 'the shop'],
      ['not-a-repository-in-it', other],
      ['not-a-neighbour', `${folder}-2`],
      ['nothing', undefined],
      ['thrown-away', folder],
    ] as const)
      await say(store, id, label);
    await trashSession(store, 'thrown-away');
    const linked = await findProject(store, 'shop');
    const ids = (await sessionsOf(store, linked)).map(({ id }) => id);
    const owner = async (id: string) => projectOfSession(store, (await store.session(id))!);
    expect((await owner('below'))?.id).toBe(shop.id);
    expect(await owner('not-a-neighbour')).toMatchObject({ known: false, name: 'shop-2' });
    expect(await owner('nothing')).toBeUndefined();
    expect(ids.sort()).toEqual(['below', 'by-folder', 'by-id', 'by-label']);
  });

  it('keeps its sessions and its memory when its folder is moved, once it is linked', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const before = makeRepository(temp.path, 'shop');
    const after = path.join(temp.path, 'work', 'store');
    const { project } = await addFact(store, await projectAt(store, before), 'One', { source });
    await say(store, 'old', before);
    await say(store, 'older', path.join(before, 'src'));
    makeFolder(temp.path, 'work');
    renameSync(before, after);

    const here = await projectAt(store, after);
    expect([here.known, await knows(store, after)]).toEqual([false, []]);
    const offers = await offerLinks(store, here);
    expect(offers).toMatchObject([{ project: { id: project.id }, because: 'same-repository', moved: true }]);
    expect(likelyMoved(offers)?.project.id).toBe(project.id);

    const linked = await linkFolder(store, project, after);
    expect(folderOf(linked)).toBe(after);
    expect(linked.folders).toMatchObject([{ path: after }, { path: before, leftAt: expect.any(Number) }]);
    expect(await knows(store, after)).toEqual(['One']);
    await say(store, 'new', after);
    expect((await sessionsOf(store, linked)).map(({ id }) => id).sort()).toEqual(['new', 'old', 'older']);
    expect(await offerLinks(store, await projectAt(store, after))).toEqual([]);
  });

  it('leaves its old folder to whatever is put there next', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const old = makeFolder(temp.path, 'shop');
    const { project } = await addFact(store, await projectAt(store, old), 'The first shop', { source });
    renameSync(old, path.join(temp.path, 'moved'));
    await linkFolder(store, project, path.join(temp.path, 'moved'));
    makeFolder(temp.path, 'shop');
    await say(store, 'of-the-first', project.id);
    expect(await knows(store, old)).toEqual([]);
    expect(await sessionsOf(store, await projectAt(store, old))).toEqual([]);
    const second = await addFact(store, await projectAt(store, old), 'The second shop', { source });
    expect(second.project.id).not.toBe(project.id);
    expect(await knows(store, old)).toEqual(['The second shop']);
    expect(await knows(store, path.join(temp.path, 'moved'))).toEqual(['The first shop']);
  });

  it('is not shared by two clones of one repository, unless they are linked', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const first = makeRepository(temp.path, 'shop');
    const second = path.join(temp.path, 'clone');
    git(temp.path, 'clone', '-q', first, second);
    const { project } = await addFact(store, await projectAt(store, first), 'One', { source });
    const here = await projectAt(store, second);
    const offers = await offerLinks(store, here);
    expect(offers).toMatchObject([{ because: 'same-repository', moved: false }]);
    expect([here.known, likelyMoved(offers)]).toEqual([false, undefined]);
    const linked = await linkFolder(store, project, second);
    expect(linked.folders.map(({ leftAt }) => leftAt)).toEqual([undefined, undefined]);
    expect([await knows(store, first), await knows(store, second)]).toEqual([['One'], ['One']]);
  });

  it('takes a folder over from another project, which keeps what it knows', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const [a, b] = [makeFolder(temp.path, 'a'), makeFolder(temp.path, 'b')];
    const one = await addFact(store, await projectAt(store, a), 'One', { source });
    const two = await addFact(store, await projectAt(store, b), 'Two', { source });
    await linkFolder(store, one.project, b);
    expect(await knows(store, b)).toEqual(['One']);
    const left = await findProject(store, two.project.id);
    expect(folderOf(left)).toBeUndefined();
    expect(showFacts(await readMemory(store, left)).map(({ text }) => text)).toEqual(['Two']);
  });

  it('is forgotten when its log is thrown away, and its folder starts anew', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const first = await addFact(store, await projectAt(store, temp.path), 'One', { source });
    await trashSession(store, first.project.id);
    expect([await knows(store, temp.path), await listProjects(store)]).toEqual([[], []]);
    const second = await addFact(store, await projectAt(store, temp.path), 'Two', { source });
    expect(second.project.id).not.toBe(first.project.id);
    await purgeSession(store, (await store.session(first.project.id))!);
    expect(await knows(store, temp.path)).toEqual(['Two']);
  });

  it('is offered by its name when that is all there is, and not taken for likely', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const old = makeFolder(temp.path, 'one/shop');
    const { project } = await addFact(store, await projectAt(store, old), 'One', { source });
    rmSync(old, { recursive: true });
    const offers = await offerLinks(store, await projectAt(store, makeFolder(temp.path, 'two/shop')));
    expect(offers).toMatchObject([{ project: { id: project.id }, because: 'same-name', moved: true }]);
    expect(likelyMoved(offers)).toBeUndefined();
  });

  it('is found by id, the start of it, name, folder or label, and never guessed', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const [a, b] = [makeFolder(temp.path, 'one/shop'), makeFolder(temp.path, 'two/shop')];
    const one = await openProject(store, await projectAt(store, a));
    const two = await openProject(store, await projectAt(store, b));
    await say(store, 's', 'a name of its own');
    const found = async (reference: string) => (await findProject(store, reference)).id;
    expect(await found(one.id)).toBe(one.id);
    expect(await found(one.id.slice(0, -1))).toBe(one.id);
    expect(await found(b)).toBe(two.id);
    expect((await findProject(store, 'a name of its own')).known).toBe(false);
    await expect(findProject(store, 'shop')).rejects.toMatchObject({
      code: 'project-ambiguous',
      details: { candidates: [{ name: 'shop' }, { name: 'shop' }] },
    });
    await expect(findProject(store, 'nothing')).rejects.toMatchObject({ code: 'project-not-found' });
  });

  it('is listed with its sessions, also when only sessions name it, and whether it is still there', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop', { 'src/a.ts': '' });
    await openProject(store, await projectAt(store, shop));
    const gone = path.join(temp.path, 'gone');
    for (const [id, label] of [
      ['a', shop],
      ['b', path.join(shop, 'src')],
      ['c', gone],
      ['d', 'a label'],
    ] as const)
      await say(store, id, label);
    const lines = (await surveyProjects(store)).map(
      ({ project: { name, known }, sessions, there, folder }) => ({
        name,
        known,
        sessions,
        there,
        folder,
      }),
    );
    expect(lines.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'a label', known: false, sessions: 1, there: false, folder: undefined },
      { name: 'gone', known: false, sessions: 1, there: false, folder: gone },
      { name: 'shop', known: true, sessions: 2, there: true, folder: shop },
    ]);
  });
});

it('has the sessions that name no project, in a separate store, and is known again when both are moved', async () => {
  using temp = tempFolder();
  const before = makeFolder(temp.path, 'notes', { '.throughline/keep': '' });
  {
    await using store = await openSqliteStore(path.join(before, '.throughline/throughline.db'));
    await addFact(store, await projectAt(store, before), 'One', { source });
    await say(store, 'nameless');
    expect((await sessionsOf(store, await projectAt(store, before))).map(({ id }) => id)).toEqual([
      'nameless',
    ]);
  }
  const after = path.join(temp.path, 'renamed');
  renameSync(before, after);
  await using store = await openSqliteStore(path.join(after, '.throughline/throughline.db'));
  const offers = await offerLinks(store, await projectAt(store, after));
  expect(likelyMoved(offers)).toMatchObject({ because: 'own-store', project: { name: 'notes' } });
});
