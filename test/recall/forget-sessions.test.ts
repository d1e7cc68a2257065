import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { toolCall, user } from '../../src/testing/index.ts';
import { openFileLibrary, openLibrary } from './library.ts';

const SECRETS = ['zanzibar', 'quokka', 'marmalade', 'Persephone', 'vault/blueprint.txt', 'blueprint'];

it('leaves no trace of a purged session in either file', async () => {
  await using library = await openFileLibrary();
  await library.write('kept', user('an ordinary talk about trains'));
  await library.write(
    'doomed',
    user('the zanzibar quokka eats marmalade', { meta: { speaker: 'Persephone' } }),
    toolCall('read', { path: 'vault/blueprint.txt' }),
  );
  for (let n = 0; n < 5; n++) await library.write('kept', user(`and number ${n} goes by train`));
  expect(await library.find('quokka')).toEqual(['doomed:1']);
  const traces = () =>
    SECRETS.filter((secret) =>
      library.bytes().toString('latin1').toLowerCase().includes(secret.toLowerCase()),
    );
  expect(traces()).not.toEqual([]);

  await library.store.purge('doomed');
  expect(await library.recall.catchUp()).toMatchObject({ forgotten: 1, messages: 0 });

  expect(traces()).toEqual([]);
  expect(await library.find('quokka')).toEqual([]);
  expect(await library.find('train', { by: 'words' })).toHaveLength(6);
});

it('leaves no trace when everything lies in one piece already', async () => {
  await using library = await openFileLibrary();
  await library.write('doomed', user('zanzibar marmalade'));
  const db = new DatabaseSync(library.indexFile);
  db.exec(`insert into words (words) values ('optimize')`);
  db.close();
  await library.store.purge('doomed');
  await library.recall.catchUp();
  expect(library.bytes().includes('zanzibar')).toBe(false);
});

it('does not return what was purged since it was indexed', async () => {
  await using library = await openLibrary();
  await library.write('doomed', user('zanzibar'));
  await library.store.purge('doomed');
  expect(await library.find('zanzibar')).toEqual([]);
});

it('forgets on request, and remembers again what the store still has', async () => {
  await using library = await openLibrary();
  await library.write('talk', user('zanzibar'));
  await library.recall.forget('talk');
  expect(await library.find('zanzibar')).toEqual([]);
  await library.recall.catchUp();
  expect(await library.find('zanzibar')).toEqual(['talk:1']);
  await library.recall.forget('nobody');
});

it('takes a session that has the name of a purged one for another session', async () => {
  await using library = await openLibrary();
  await library.store.create({ id: 'talk', createdAt: 1 });
  await library.write('talk', user('zanzibar'), user('quokka'));
  await library.store.purge('talk');
  await library.store.create({ id: 'talk', createdAt: 2 });
  await library.write('talk', user('marmalade'), user('a second'), user('a third'));
  expect(await library.find('zanzibar')).toEqual([]);
  expect(await library.find('marmalade')).toEqual(['talk:1']);
});
