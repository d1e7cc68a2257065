import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';

const isRoot = process.getuid?.() === 0;
const rightsOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** A store in a folder with these rights, with files beside it, all of which have `rights`. */
async function exposedStore(file: (name: string) => string, { folder, rights }: Record<string, number>) {
  mkdirSync(file('shared'));
  const files = ['shared/store.db', 'shared/store.index.db', 'shared/store.index-words.db-wal'].map(file);
  await using store = await openStore(files[0]);
  await store.create({ id: 's' }, [{ body: user('secret') }]);
  for (const other of files.slice(1)) writeFileSync(other, '');
  // After the writes: who changes a folder's group loses the bit.
  chmodSync(file('shared'), folder!);
  for (const each of files) chmodSync(each, rights!);
  return { location: files[0]!, files };
}

describe.runIf(process.platform !== 'win32')('files of a store that other users can open', () => {
  it.each(['644', '660', '604', '666'])(
    'are closed to them when their owner opens the store, from %s',
    async (octal) => {
      const rights = Number.parseInt(octal, 8);
      using folder = tempFolder();
      const { location, files } = await exposedStore(folder.file, { folder: 0o755, rights });
      await using store = await openStore(location);
      expect(store.facts.exposed).toBeUndefined();
      for (const file of files) expect(rightsOf(file), file).toBe('600');
      expect(rightsOf(`${location}-wal`)).toBe('600');
    },
  );

  it('are closed also while another process has the store open, with its log', async () => {
    using folder = tempFolder();
    const location = folder.file('store.db');
    await using _first = await openStore(location);
    for (const end of ['', '-wal', '-shm']) chmodSync(location + end, 0o644);
    await using _second = await openStore(location);
    for (const end of ['', '-wal', '-shm']) expect(rightsOf(location + end)).toBe('600');
  });

  it('stay open to the group alone, in a folder with the set-group-ID bit', async () => {
    using folder = tempFolder();
    const { location, files } = await exposedStore(folder.file, { folder: 0o2775, rights: 0o664 });
    await using store = await openStore(location);
    expect(store.facts.exposed).toBeUndefined();
    for (const file of files) expect(rightsOf(file), file).toBe('660');
  });

  it('are named and left as they are by a read-only opening', async () => {
    using folder = tempFolder();
    const { location, files } = await exposedStore(folder.file, { folder: 0o755, rights: 0o644 });
    await using store = await openStore(location, { readOnly: true });
    for (const file of files) {
      expect(store.facts.exposed).toContain(file);
      expect(rightsOf(file)).toBe('644');
    }
    expect(store.facts.exposed).toContain('it was opened read-only');
  });

  it('are not named in a folder that other users cannot enter', async () => {
    using folder = tempFolder();
    const { location } = await exposedStore(folder.file, { folder: 0o700, rights: 0o644 });
    await using store = await openStore(location, { readOnly: true });
    expect(store.facts.exposed).toBeUndefined();
  });

  it.runIf(isRoot)('are named at every opening, and left alone, if they belong to another user', async () => {
    using folder = tempFolder();
    const { location, files } = await exposedStore(folder.file, { folder: 0o755, rights: 0o644 });
    for (const file of files) chownSync(file, 65534, 65534);
    for (const _ of ['first', 'second']) {
      await using store = await openStore(location);
      expect(store.facts.exposed).toContain(`can open ${location}`);
      expect(store.facts.exposed).toContain('it belongs to another user');
      expect(rightsOf(location)).toBe('644');
    }
  });
});
