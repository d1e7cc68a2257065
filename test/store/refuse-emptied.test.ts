import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { salvageStore } from '../../src/store/sqlite/index.ts';
import { user } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';

async function makeStore(file: string): Promise<void> {
  await using store = await openStore(file);
  await store.create({ id: 's' }, [{ body: user('hello') }]);
}

const damaged = (sign: string) => ({ code: 'store-damaged', message: expect.stringContaining(sign) });

describe('a file of 0 bytes', () => {
  it.each([
    { how: 'by truncation', empty: (file: string) => truncateSync(file, 0) },
    { how: 'by a failed copy', empty: (file: string) => writeFileSync(file, '') },
  ])('that was a store, emptied $how, is refused and stays as it is', async ({ empty }) => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    await makeStore(file);
    empty(file);
    // As if that was a second later, however fast the disk is.
    utimesSync(file, statSync(file).atime, new Date(Date.now() + 1_000));
    for (const readOnly of [false, true])
      await expect(openStore(file, { readOnly })).rejects.toMatchObject(
        damaged('was written after it was made'),
      );
    expect(statSync(file).size).toBe(0);
    rmSync(file);
    await makeStore(file);
  });

  it('beside a search index is refused, whenever it was made', async () => {
    using folder = tempFolder();
    writeFileSync(folder.file('store.db'), '');
    writeFileSync(folder.file('store.index.db'), 'an index');
    await expect(openStore(folder.file('store.db'))).rejects.toMatchObject(
      damaged('store.index.db is beside'),
    );
  });

  it('beside a log is refused, and the log still gives everything back', async () => {
    using folder = tempFolder();
    {
      await using store = await openStore(folder.file('open.db'));
      await store.create({ id: 's' }, [{ body: user('hello') }]);
      copyFileSync(folder.file('open.db-wal'), folder.file('store.db-wal'));
    }
    writeFileSync(folder.file('store.db'), '');
    const size = statSync(folder.file('store.db-wal')).size;
    await expect(openStore(folder.file('store.db'))).rejects.toMatchObject(
      damaged('can be saved into a new store'),
    );
    expect(statSync(folder.file('store.db-wal')).size).toBe(size);
    const { sessions, entries } = await salvageStore(folder.file('store.db'), folder.file('saved.db'));
    expect({ sessions, entries }).toEqual({ sessions: 1, entries: 1 });
  });

  it.each([
    { how: 'made by a program', make: (file: string) => writeFileSync(file, '') },
    { how: 'made by touch', make: (file: string) => execFileSync('touch', [file]) },
    {
      how: 'touched once more later',
      make(file: string) {
        writeFileSync(file, '');
        const later = new Date(Date.now() + 60_000);
        utimesSync(file, later, later);
      },
    },
    {
      how: 'with the old time that an archive gave it',
      make(file: string) {
        writeFileSync(file, '');
        utimesSync(file, new Date(), new Date(0));
      },
    },
  ])('that was never a store, $how, becomes one', async ({ make }) => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    make(file);
    await makeStore(file);
    expect(existsSync(file) && statSync(file).size).toBeGreaterThan(0);
  });
});
