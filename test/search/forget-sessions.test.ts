import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forgetInIndexes, openRecall } from '../../src/search/index.ts';
import { toolCall, user } from '../../src/testing/index.ts';
import { vectorsOf } from './dump-index.ts';
import { type FileLibrary, openFileLibrary, openLibrary } from './library.ts';

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

it('leaves no vector and no word number of a purged session behind', async () => {
  const marker = fc.stringMatching(/^[a-z]{10,14}$/);
  const talk = fc.array(fc.array(marker, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(talk, talk, fc.nat(3), async (doomed, kept, every) => {
      await using library = await openFileLibrary();
      const write = (session: string, words: readonly string[]) =>
        library.write(session, user(`about ${words.join(' and ')} at sea`));
      for (const [n, words] of doomed.entries()) {
        await write('doomed', words);
        if (n % (every + 1) === 0) await write('kept', kept[n % kept.length]!);
      }
      const secret = secretsOf(library, 'doomed', new Set(kept.flat()));
      expect(tracesOf(library, secret)).toEqual(secret.map(({ name }) => name));

      await library.store.purge('doomed');
      await library.recall.catchUp();
      expect(tracesOf(library, secret)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

interface Secret {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What the index knows of a session and of no other: its vectors, its words by number, its entries' ids. */
function secretsOf({ indexFile }: FileLibrary, session: string, others: ReadonlySet<string>): Secret[] {
  const db = new DatabaseSync(indexFile, { readOnly: true });
  const vectors = vectorsOf(db);
  const rows = db
    .prepare(
      `select doc, words, entry, sessions.id = ? as wanted
       from meanings join docs using (doc) join sessions on key = doc / 268435456`,
    )
    .all(session) as { doc: number; words: Uint8Array; entry: Uint8Array; wanted: number }[];
  db.close();
  const vectorOf = ({ doc }: { doc: number }) => vectors.get(doc)!.split(' ').at(-1)!;
  const inOthers = rows.filter(({ wanted }) => !wanted).map(vectorOf);
  return rows
    .filter((row) => row.wanted && !inOthers.includes(vectorOf(row)))
    .flatMap((row, n) => [
      { name: `vector ${n}`, bytes: Buffer.from(vectorOf(row), 'hex') },
      { name: `entry ${n}`, bytes: Buffer.from(row.entry) },
      ...(others.size === 0 ? [{ name: `words ${n}`, bytes: Buffer.from(row.words) }] : []),
    ]);
}

function tracesOf({ indexFile }: FileLibrary, secrets: readonly Secret[]): string[] {
  const bytes = Buffer.concat([indexFile, `${indexFile}-wal`].map((file) => readFileSync(file)));
  return secrets.filter((secret) => bytes.includes(secret.bytes)).map(({ name }) => name);
}

it('finishes leaving no trace when it was held up by a reader, or killed', async () => {
  await using library = await openFileLibrary({ patienceMs: 50 });
  await library.write('doomed', user('zanzibar marmalade'));
  const reader = new DatabaseSync(library.indexFile);
  reader.exec('begin; select * from docs');
  reader.prepare('select * from docs').all();
  await library.store.purge('doomed');
  await expect(library.recall.catchUp()).rejects.toMatchObject({ code: 'store-busy' });
  expect(await library.find('zanzibar')).toEqual([]);
  expect(library.bytes().includes('zanzibar')).toBe(true);
  reader.close();
  await using another = await openRecall(library.store);
  await another.stats();
  expect(library.bytes().includes('zanzibar')).toBe(false);
});

it('cleans every index beside the store, whatever it was made with, and deletes damaged ones', async () => {
  await using library = await openFileLibrary();
  await library.write('kept', user('trains'));
  await library.write('doomed', user('zanzibar marmalade'));
  {
    await using words = await openRecall(library.store, { embedder: 'none' });
    await words.catchUp();
  }
  writeFileSync(`${library.indexFile}.damaged`, 'zanzibar');
  const files = () => readdirSync(library.folder).map((file) => path.join(library.folder, file));
  const traces = () => files().filter((file) => readFileSync(file).includes('zanzibar'));
  await library.store.purge('doomed');
  expect(traces().length).toBeGreaterThan(2);
  await forgetInIndexes(library.store, ['doomed']);
  expect(traces()).toEqual([]);
  expect(await library.find('trains')).toEqual(['kept:1']);
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

it('does not return sessions purged since they were indexed', async () => {
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
