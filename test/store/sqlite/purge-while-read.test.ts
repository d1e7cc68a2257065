import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { user } from '../../../src/testing/index.ts';
import { tempFolder } from '../../flows/child.ts';

it('waits for a reader elsewhere before it says that a purged session is gone', async () => {
  using folder = tempFolder();
  await using store = await openSqliteStore(folder.file('store.db'));
  await store.create({ id: 's' }, [{ body: user('xyzzy-secret') }]);
  const reader = new DatabaseSync(folder.file('store.db'), { readOnly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from entries').get();
  const purged = store.purge('s').then(() => 'gone');
  const first = await Promise.race([
    purged,
    new Promise((resolve) => setTimeout(() => resolve('waiting'), 200)),
  ]);
  reader.close();
  expect([first, await purged]).toEqual(['waiting', 'gone']);
  const holding = readdirSync(folder.path).filter((name) =>
    readFileSync(folder.file(name)).includes('xyzzy'),
  );
  expect(holding).toEqual([]);
});
