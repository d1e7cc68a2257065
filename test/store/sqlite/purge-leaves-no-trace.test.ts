import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createSession, purgeSession, titleSession, trashSession } from '../../../src/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { user } from '../../../src/testing/index.ts';
import { tempFolder } from '../../flows/child.ts';

const MARKER = 'xyzzy-the-secret';

it('leaves nothing of a purged session in any file, and keeps blobs that others use', async () => {
  using folder = tempFolder();
  await using store = await openSqliteStore(folder.file('store.db'));
  const shared = `shared ${'blob '.repeat(9000)}`;
  const session = await createSession(store, { id: 'secret' });
  await store.create({ id: 'other' }, [{ body: user(shared) }]);
  for (let n = 0; n < 300; n++) {
    await titleSession(store, 'secret', `${MARKER} title ${n}`);
    await session.append([user(`${MARKER} ${n} ${'pad '.repeat(n * 5)}`)]);
    await store.append('other', [{ body: user(`innocent ${n}`) }]);
  }
  await session.append([user(shared), user(`${MARKER} ${'long '.repeat(20_000)}`)]);
  await session.close();
  expect(filesWith(folder.path, MARKER)).not.toEqual([]);

  await trashSession(store, 'secret');
  const report = await purgeSession(store, (await store.session('secret'))!);
  expect(report).toMatchObject({ blobs: 1 });
  expect(filesWith(folder.path, MARKER)).toEqual([]);
  const [kept] = await store.read('other', { limit: 1 });
  const [part] = kept!.body.kind === 'message' ? kept!.body.parts : [];
  await expect(store.blob((part!.text as { $blob: string }).$blob)).resolves.toHaveLength(shared.length);
  expect((await store.verify()).problems).toEqual([]);
});

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(`${folder}/${name}`).includes(text));
}
