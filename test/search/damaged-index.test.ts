import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecall } from '../../src/search/index.ts';
import { conversation, user } from '../../src/testing/index.ts';
import { type FileLibrary, openFileLibrary } from './library.ts';

const RUNS = 20;

const TALK = Array.from({ length: 300 }, (_, n) =>
  user(`number ${n} about the ${n % 2 ? 'harbour' : 'stables'}`),
);

/** A store whose index is filled and closed. */
async function openShelved(): Promise<FileLibrary> {
  const library = await openFileLibrary();
  await library.store.create({ id: 's' }, conversation(...TALK, user('one okapi')));
  await library.recall.catchUp();
  await library.recall[Symbol.asyncDispose]();
  return library;
}

function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}

async function expectWhole({ store, indexFile }: FileLibrary): Promise<void> {
  await using recall = await openRecall(store);
  await recall.catchUp();
  expect((await recall.search('okapi')).map(({ seq }) => seq)).toEqual([301]);
  expect(await recall.stats()).toMatchObject({ location: indexFile, messages: 301 });
}

describe('a damaged index is moved aside and made again', () => {
  it.each([
    { what: 'its start is gone', damage: (file: string) => overwrite(file, 0, Buffer.alloc(100, 0x5a)) },
    {
      what: 'its first page is gone',
      damage: (file: string) => overwrite(file, 100, Buffer.alloc(3996, 0x5a)),
    },
    { what: 'its mark is gone', damage: (file: string) => overwrite(file, 68, Buffer.alloc(4)) },
    { what: 'it is text', damage: (file: string) => writeFileSync(file, 'no database at all '.repeat(99)) },
    {
      what: 'all but its first page is gone',
      damage: (file: string) => overwrite(file, 4096, Buffer.alloc(statSync(file).size - 4096, 0x5a)),
    },
  ])('when $what', async ({ damage }) => {
    await using library = await openShelved();
    damage(library.indexFile);
    await expectWhole(library);
  });

  it('is kept once, for inspection', async () => {
    await using library = await openShelved();
    for (let round = 0; round < 2; round++) {
      overwrite(library.indexFile, 0, Buffer.alloc(100, 0x5a));
      await expectWhole(library);
    }
    expect(existsSync(`${library.indexFile}.damaged`)).toBe(true);
  });

  it.each([
    { what: 'anywhere', within: Number.MAX_SAFE_INTEGER },
    { what: 'in the texts of its tables', within: 4 * 4096 },
  ])('and never an error, with damage $what', async ({ within }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1000),
        fc.oneof(
          fc.uint8Array({ minLength: 1, maxLength: 4 }),
          fc.uint8Array({ minLength: 1, maxLength: 6000 }),
        ),
        fc.boolean(),
        async (place, bytes, cut) => {
          await using library = await openShelved();
          const { size } = statSync(library.indexFile);
          const at = Math.floor((Math.min(size, within) * place) / 1001);
          if (cut) ftruncate(library.indexFile, at);
          else overwrite(library.indexFile, at, bytes);
          await using recall = await openRecall(library.store);
          await recall.catchUp();
          for (const query of ['okapi', 'harbour stables', '"about the"', 'numb*', ''])
            expect(Array.isArray(await recall.search(query))).toBe(true);
          await library.store.purge('s');
          await recall.catchUp();
          expect(await recall.search('okapi')).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it.each(['vectors blob', 'text, content', 'watermark integer', 'unicode61', 'meanings_waiting'])(
    'when a letter of its schema is another one: %s',
    async (text) => {
      await using library = await openShelved();
      const at = readFileSync(library.indexFile).indexOf(text);
      expect(at).toBeGreaterThan(0);
      overwrite(library.indexFile, at, Buffer.from('q'));
      await expectWhole(library);
    },
  );

  it('when its format is read-only', async () => {
    await using library = await openShelved();
    overwrite(library.indexFile, 18, Buffer.from([44]));
    await expectWhole(library);
  });
});

function ftruncate(file: string, length: number): void {
  const handle = openSync(file, 'r+');
  ftruncateSync(handle, length);
  closeSync(handle);
}

describe('while it is open', () => {
  it('a damaged one is replaced, and the search that found out is answered', async () => {
    await using library = await openShelved();
    await using recall = await openRecall(library.store);
    const { size } = statSync(library.indexFile);
    overwrite(library.indexFile, 4096, Buffer.alloc(size - 4096, 0x5a));
    const found = await Promise.all(['okapi', '"one okapi"', 'okap*'].map((query) => recall.search(query)));
    expect(found.map((hits) => hits.map(({ seq }) => seq))).toEqual([[301], [301], [301]]);
    expect(existsSync(`${library.indexFile}.damaged`)).toBe(true);
  });

  it('a deleted one is made again', async () => {
    await using library = await openShelved();
    await using recall = await openRecall(library.store);
    for (const end of ['', '-wal', '-shm']) rmSync(library.indexFile + end, { force: true });
    expect(await recall.search('okapi')).toHaveLength(1);
    expect((await recall.stats()).messages).toBe(301);
  });

  it('one that another process has replaced is let go', async () => {
    await using library = await openShelved();
    await using first = await openRecall(library.store);
    await using second = await openRecall(library.store);
    for (const end of ['', '-wal', '-shm']) rmSync(library.indexFile + end, { force: true });
    await first.catchUp();
    await library.store.append('s', conversation(user('a second okapi')));
    await second.catchUp();
    expect(await first.search('okapi', { by: 'words' })).toHaveLength(2);
  });

  it('one that was made again with other rules is not written into', async () => {
    await using library = await openShelved();
    await using old = await openRecall(library.store);
    await using strict = await openRecall(library.store, { edition: '2', redact: () => 'nothing' });
    await strict.catchUp();
    await library.store.append('s', conversation(user('a second okapi')));
    await expect(old.catchUp()).rejects.toMatchObject({ code: 'store-busy' });
    expect(await strict.search('okapi', { by: 'words' })).toEqual([]);
  });

  it('a closed one says so', async () => {
    await using library = await openShelved();
    await expect(library.recall.search('okapi')).rejects.toMatchObject({ code: 'store-closed' });
  });
});
