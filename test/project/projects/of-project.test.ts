import { renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addFact, findProject, idsOf, linkFolder, linkLabel, ofProject } from '../../../src/project/index.ts';
import { createSession, trashSession } from '../../../src/session/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { STORES } from '../../session/stores.ts';
import { makeFolder, makeRepository, projectAt } from '../benches.ts';

const source = { by: 'person', name: 'Anna' } as const;

async function say(store: Store, id: string, project?: string): Promise<void> {
  const session = await createSession(store, { id, ...(project !== undefined && { project }) });
  await session.close();
}

async function found(store: Store, reference: string): Promise<string[]> {
  return (await idsOf(store, await ofProject(store, reference))).sort();
}

describe.each(STORES)('the sessions of a project in a $kind store', ({ open }) => {
  it('are the same however it is named, also after it was moved', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const before = makeRepository(temp.path, 'shop', { 'src/a.ts': '' });
    const after = path.join(temp.path, 'shop-new');
    await say(store, 'by-old-folder', before);
    await say(store, 'by-old-subfolder', path.join(before, 'src'));
    await addFact(store, await projectAt(store, before), 'The port is 8000.', { source });
    const { id } = await findProject(store, 'shop');
    renameSync(before, after);
    await linkFolder(store, await findProject(store, id), after);
    await linkLabel(store, await findProject(store, id), 'the-shop');
    await say(store, 'by-folder', after);
    await say(store, 'by-id', id);
    await say(store, 'by-label', 'the-shop');
    await say(store, 'in-the-trash', id);
    await trashSession(store, 'in-the-trash');
    await say(store, 'of-another', 'bank');
    await say(store, 'of-nobody');
    const all = ['by-folder', 'by-id', 'by-label', 'by-old-folder', 'by-old-subfolder', 'in-the-trash'];
    for (const reference of [id, id.slice(0, -3), 'SHOP', 'the-shop', before, after, path.join(after, 'src')])
      expect(await found(store, reference)).toEqual(all);
    using stands = vi.spyOn(process, 'cwd').mockReturnValue(path.join(after, 'src'));
    expect(await found(store, '.')).toEqual(all);
    expect(stands).toHaveBeenCalled();
    expect(await found(store, 'bank')).toEqual(['of-another']);
    expect(await found(store, 'nobody-knows')).toEqual([]);
  });

  it('are those in its folder while nothing is written down about it', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop', { 'src/a.ts': '' });
    await say(store, 'top', shop);
    await say(store, 'deep', path.join(shop, 'src'));
    await say(store, 'other', makeFolder(temp.path, 'bank'));
    for (const reference of [shop, path.join(shop, 'src'), 'shop'])
      expect(await found(store, reference)).toEqual(['deep', 'top']);
  });

  it('are found by what they say letter for letter, although a folder ends so', async () => {
    await using bench = await open();
    using temp = tempFolder();
    await say(bench.store, 'by-label', 'shop');
    await say(bench.store, 'by-folder', makeFolder(temp.path, 'shop'));
    expect(await found(bench.store, 'shop')).toEqual(['by-label']);
  });

  it('are of the project that is in a folder now, not of the one that was', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    const [one, two] = [makeFolder(temp.path, 'one'), makeFolder(temp.path, 'two')];
    for (const folder of [one, two])
      await addFact(store, await projectAt(store, folder), 'It is.', { source });
    await linkFolder(store, await findProject(store, two), one);
    await say(store, 'here', one);
    expect((await findProject(store, one)).name).toBe('two');
    expect(await found(store, one)).toEqual(['here']);
  });

  it('are not those below the home folder because something is written down about that', async () => {
    await using bench = await open();
    const { store } = bench;
    using temp = tempFolder();
    vi.stubEnv('HOME', temp.path);
    try {
      const notes = makeFolder(temp.path, 'notes');
      await addFact(store, await projectAt(store, temp.path), 'I like tea.', { source });
      await say(store, 'at-home', temp.path);
      await say(store, 'below', notes);
      expect((await projectAt(store, notes)).known).toBe(false);
      expect(await found(store, temp.path)).toEqual(['at-home']);
      expect(await found(store, notes)).toEqual(['below']);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

it('are, in the store of a folder, also those that name no project', async () => {
  using temp = tempFolder();
  const shop = makeFolder(temp.path, 'shop', { '.throughline/keep': '' });
  await using store = await openSqliteStore(path.join(shop, '.throughline', 'sessions.db'));
  await say(store, 'unnamed');
  expect(await found(store, shop)).toEqual(['unnamed']);
  await addFact(store, await projectAt(store, shop), 'The port is 8000.', { source });
  expect(await found(store, 'shop')).toEqual(['unnamed']);
});
