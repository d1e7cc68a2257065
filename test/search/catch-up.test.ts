import { rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openRecall } from '../../src/search/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { assistant, compaction, conversation, setting, user } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';
import { openFileLibrary, openLibrary } from './library.ts';

describe('catching up', () => {
  it('finds new entries, and reads nothing twice', async () => {
    await using library = await openLibrary();
    await library.write('s', user('alpha'), user('beta'));
    await library.write('s', setting('title', 'A talk'), assistant('gamma'));
    expect(await library.find('gamma', { by: 'words' })).toEqual(['s:4']);
    expect(await library.recall.catchUp()).toEqual({
      messages: 0,
      forgotten: 0,
      unreadable: 0,
      withoutMeaning: 0,
    });
    expect((await library.recall.stats()).messages).toBe(3);
  });

  it('indexes originals, not the summaries that stand in for them', async () => {
    await using library = await openLibrary();
    await library.write(
      's',
      user('the original okapi'),
      compaction({ covers: { from: 1, to: 1 }, summary: 'okapi' }),
    );
    expect(await library.find('okapi', { by: 'words' })).toEqual(['s:1']);
  });

  it('shows how far it is, to the end', async () => {
    await using library = await openLibrary();
    for (let n = 0; n < 3; n++)
      await library.store.create({ id: `s${n}` }, conversation(user('a'), user('b')));
    const seen: { done: number; total: number }[] = [];
    await library.recall.catchUp({ onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ done: 6, total: 6 });
  });

  it('stops on request, and goes on later', async () => {
    await using library = await openLibrary();
    const bodies = Array.from({ length: 6000 }, (_, n) => user(`message ${n}`));
    await library.store.create({ id: 's' }, conversation(...bodies));
    const stop = new AbortController();
    const half = library.recall.catchUp({ signal: stop.signal, onProgress: () => stop.abort() });
    await expect(half).rejects.toMatchObject({ code: 'cancelled' });
    const { messages } = await library.recall.stats();
    expect(messages).toBeGreaterThan(0);
    expect(messages).toBeLessThan(6000);
    expect((await library.recall.catchUp()).messages).toBe(6000 - messages);
  });

  it('can be asked for some sessions only', async () => {
    await using library = await openLibrary();
    for (const id of ['a', 'b']) await library.store.create({ id }, conversation(user('okapi')));
    await library.recall.catchUp({ sessions: ['b', 'nobody'] });
    expect(await library.find('okapi')).toEqual(['b:1']);
  });

  it('passes over an entry that cannot be read, and counts it', async () => {
    await using library = await openFileLibrary();
    await library.store.create({ id: 's' }, conversation(user('alpha'), user('beta'), user('gamma')));
    const db = new DatabaseSync(library.storeFile);
    db.exec(
      `update entries set body = 'broken' where position = (select position from entries limit 1 offset 1)`,
    );
    db.close();
    await using store = await openSqliteStore(library.storeFile);
    await using recall = await openRecall(store);
    expect(await recall.catchUp()).toMatchObject({ messages: 2, unreadable: 1 });
    expect((await recall.search('gamma', { by: 'words' })).map(({ seq }) => seq)).toEqual([3]);
  });
});

describe('the index file', () => {
  it('lies beside the store, for its owner alone', async () => {
    await using library = await openFileLibrary();
    await library.write('s', user('hello'));
    expect((await library.recall.stats()).location).toBe(library.indexFile);
    expect(statSync(library.indexFile).mode & 0o777).toBe(0o600);
  });

  it('gives the same answers when it was deleted and made again', async () => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    await using store = await openSqliteStore(file, { durability: 'normal' });
    const topics = ['boats and harbours', 'trains and stations', 'horses and stables', 'planes and airports'];
    for (let n = 0; n < 8; n++) {
      const bodies = topics.map((topic, at) => user(`${topic} in talk ${n}, part ${at}`));
      await store.create({ id: `s${n}` }, conversation(...bodies.slice(0, 2)));
    }
    const ask = async () => {
      await using recall = await openRecall(store);
      await recall.catchUp();
      const answers = [];
      for (const query of ['harbour', 'ships at sea', '"trains and stations"', 'talk 3', 'railway journey'])
        answers.push(await recall.search(query));
      return answers;
    };
    await ask();
    for (let n = 0; n < 8; n += 3)
      await store.append(`s${n}`, conversation(user(topics[2]!), user(topics[3]!)));
    const incremental = await ask();
    for (const end of ['', '-wal', '-shm']) rmSync(folder.file('store.index.db') + end, { force: true });
    expect(await ask()).toEqual(incremental);
  });

  it('is made again when the rules of redaction change', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(folder.file('store.db'), { durability: 'normal' });
    await store.create({ id: 's' }, conversation(user('the secret okapi')));
    for (const [edition, found] of [
      ['1', 1],
      ['2', 0],
      ['2', 0],
      ['1', 1],
    ] as const) {
      const redact = (text: string) => (edition === '2' ? text.replace('okapi', '[…]') : text);
      await using recall = await openRecall(store, { edition, redact });
      await recall.catchUp();
      expect(await recall.search('okapi', { by: 'words' })).toHaveLength(found);
    }
  });

  it('is never made in a file of another program', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(folder.file('store.db'), { durability: 'normal' });
    const notes = folder.file('notes.txt');
    writeFileSync(
      notes,
      'my notes, long enough to be looked at as a database header of a hundred bytes. '.repeat(3),
    );
    await expect(openRecall(store, { file: notes })).rejects.toMatchObject({ code: 'store-foreign' });
    await expect(openRecall(store, { file: folder.file('store.db') })).rejects.toMatchObject({
      code: 'store-foreign',
    });
  });
});
