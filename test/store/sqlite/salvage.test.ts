import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore, salvageStore } from '../../../src/store/sqlite/index.ts';
import { conversation, user } from '../../../src/testing/index.ts';
import {
  blobsOf,
  contentsOf,
  damage,
  fingerprint,
  makeStore,
  newFolder,
  PAGE,
  problemsOf,
  rowsOf,
  treePages,
} from './salvage-fixture.ts';

describe('salvaging a store', () => {
  it('saves everything of one that is not damaged', async () => {
    await using folder = newFolder();
    const [file, saved] = [folder.file('store.db'), folder.file('saved.db')];
    await makeStore(file);
    const report = await salvageStore(file, saved);
    expect(await contentsOf(saved)).toEqual(await contentsOf(file));
    expect(blobsOf(saved)).toEqual(blobsOf(file));
    expect(await problemsOf(saved)).toEqual([]);
    expect(report).toEqual({
      sessions: 11,
      entries: rowsOf(file).size,
      blobs: 3,
      unreadable: [],
      bytesLost: 0,
    });
  });

  it('gives the blobs back to the sessions that use them, so that a purge takes them along', async () => {
    await using folder = newFolder();
    await makeStore(folder.file('store.db'));
    await salvageStore(folder.file('store.db'), folder.file('saved.db'));
    await using store = await openSqliteStore(folder.file('saved.db'));
    expect((await store.purge('heavy')).blobs).toBe(3);
  });

  it('leaves the damaged files alone and makes a file for its owner only', async () => {
    await using folder = newFolder();
    const file = folder.file('store.db');
    await makeStore(file);
    const before = fingerprint(file);
    const { mtimeMs } = statSync(file);
    await salvageStore(file, folder.file('deep/er/saved.db'));
    expect(fingerprint(file)).toBe(before);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    expect(existsSync(`${file}-shm`)).toBe(false);
    expect(statSync(folder.file('deep/er/saved.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.file('deep/er'))).toEqual(['saved.db']);
  });

  it.each(['', '-wal', '-shm'])('refuses to write over a file that is there (saved.db%s)', async (suffix) => {
    await using folder = newFolder();
    await makeStore(folder.file('store.db'), { turns: 12 });
    writeFileSync(folder.file(`saved.db${suffix}`), 'mine');
    const salvaging = salvageStore(folder.file('store.db'), folder.file('saved.db'));
    await expect(salvaging).rejects.toMatchObject({ code: 'usage', message: /never overwrites/ });
    expect(readFileSync(folder.file(`saved.db${suffix}`), 'utf8')).toBe('mine');
  });

  it('refuses to salvage a store into itself', async () => {
    await using folder = newFolder();
    await makeStore(folder.file('store.db'), { turns: 12 });
    await expect(salvageStore(folder.file('store.db'), folder.file('store.db'))).rejects.toMatchObject({
      code: 'usage',
    });
  });

  it.each(['nothing.db', '.'])('says so when there is no such file (%s)', async (name) => {
    await using folder = newFolder();
    const salvaging = salvageStore(folder.file(name), folder.file('saved.db'));
    await expect(salvaging).rejects.toMatchObject({ code: 'usage' });
    expect(existsSync(folder.file('saved.db'))).toBe(false);
  });

  it('removes what it has made when it fails', async () => {
    await using folder = newFolder();
    await makeStore(folder.file('store.db'));
    const salvaging = salvageStore(folder.file('store.db'), folder.file('new/saved.db'), {
      onProgress({ done, total }) {
        if (done > total / 2) throw new Error('the disk is gone');
      },
    });
    await expect(salvaging).rejects.toThrow('the disk is gone');
    expect(readdirSync(folder.file('new'))).toEqual([]);
  });

  it('says how far it is, from start to end', async () => {
    await using folder = newFolder();
    await makeStore(folder.file('store.db'));
    const steps: { done: number; total: number }[] = [];
    await salvageStore(folder.file('store.db'), folder.file('saved.db'), {
      onProgress: (step) => steps.push(step),
    });
    const done = steps.map((step) => step.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(steps.at(-1)!.done).toBe(steps.at(-1)!.total);
  });

  it.each([
    ['text', Buffer.from('This is a letter, and no database. '.repeat(2000))],
    ['zeros', Buffer.alloc(100_000)],
    ['nothing at all', Buffer.alloc(0)],
    ['an old page and no more', Buffer.from(`SQLite format 3\0${'x'.repeat(50)}`)],
  ])('ends with a report of nothing for a file of %s', async (_, bytes) => {
    await using folder = newFolder();
    writeFileSync(folder.file('letter'), bytes);
    const report = await salvageStore(folder.file('letter'), folder.file('saved.db'));
    expect(report).toMatchObject({ sessions: 0, entries: 0, blobs: 0 });
    expect(report.unreadable.at(-1)!.reason).toMatch(/nothing in this file/);
    expect(await problemsOf(folder.file('saved.db'))).toEqual([]);
  });

  it('does without the first page, which says what the file is', async () => {
    await using folder = newFolder();
    const file = folder.file('store.db');
    await makeStore(file);
    const original = await contentsOf(file);
    damage(file, folder.file('damaged.db'), [1], (page) => page.fill(0xa5));
    const report = await salvageStore(folder.file('damaged.db'), folder.file('saved.db'));
    expect(await contentsOf(folder.file('saved.db'))).toEqual(original);
    expect(report.bytesLost).toBe(PAGE);
    expect(report.unreadable).toEqual([{ reason: 'not all of page 1 could be read' }]);
  });

  it('names a session whose row is lost by its index, and keeps its forks on it', async () => {
    await using folder = newFolder();
    const file = folder.file('store.db');
    await makeStore(file);
    const original = await contentsOf(file);
    damage(file, folder.file('damaged.db'), treePages(file, 'sessions'), (page) => page.fill(0));
    const report = await salvageStore(folder.file('damaged.db'), folder.file('saved.db'));
    const { entries } = await contentsOf(folder.file('saved.db'));
    expect(entries.alpha).toEqual(original.entries.alpha);
    expect(report.unreadable).toContainEqual({
      session: 'alpha',
      reason: expect.stringMatching(/row was lost/),
    });
    expect(report.unreadable).toContainEqual({
      session: 'empty',
      reason: 'nothing of it was found but its name',
    });
    expect(await problemsOf(folder.file('saved.db'))).toEqual([]);
  });

  it('keeps entries of a session that nothing names any more', async () => {
    await using folder = newFolder();
    const file = folder.file('store.db');
    await makeStore(file);
    const pages = treePages(file, 'sessions', 'sqlite_autoindex_sessions_1');
    damage(file, folder.file('damaged.db'), pages, (page) => page.fill(0x17));
    await salvageStore(folder.file('damaged.db'), folder.file('saved.db'));
    const rows = rowsOf(folder.file('saved.db'));
    for (const [id, row] of rowsOf(file))
      expect(rows.get(id)).toMatchObject({ seq: row.seq, body: row.body });
    expect(Object.keys((await contentsOf(folder.file('saved.db'))).entries)).toContain('salvaged_1');
    expect(await problemsOf(folder.file('saved.db'))).toEqual([]);
  });

  it('saves the first half of a file that ends in the middle', async () => {
    await using folder = newFolder();
    const file = folder.file('store.db');
    await makeStore(file);
    copyFileSync(file, folder.file('damaged.db'));
    const { size } = statSync(file);
    truncateSync(folder.file('damaged.db'), Math.floor(size / 2) + 1000);
    const report = await salvageStore(folder.file('damaged.db'), folder.file('saved.db'));
    expect(report.sessions).toBeGreaterThan(5);
    expect(report.bytesLost).toBeGreaterThan(size / 2 - 2 * PAGE);
    expect(await problemsOf(folder.file('saved.db'))).toEqual([]);
    const original = rowsOf(file);
    for (const [id, row] of rowsOf(folder.file('saved.db'))) {
      if (original.has(id)) expect(row).toEqual(original.get(id));
      else expect(JSON.parse(row.body)).toMatchObject({ kind: expect.stringMatching(/^(lost|document)$/) });
    }
  });

  it('can be salvaged again, placeholders and all', async () => {
    await using folder = newFolder();
    const file = folder.file('store.db');
    await makeStore(file);
    truncateSync(file, PAGE * Math.floor(statSync(file).size / PAGE / 3));
    await salvageStore(file, folder.file('saved.db'));
    const report = await salvageStore(folder.file('saved.db'), folder.file('again.db'));
    expect(await contentsOf(folder.file('again.db'))).toEqual(await contentsOf(folder.file('saved.db')));
    expect(report.bytesLost).toBe(0);
  });

  it('goes on from the salvaged entries', async () => {
    await using folder = newFolder();
    await makeStore(folder.file('store.db'));
    await salvageStore(folder.file('store.db'), folder.file('saved.db'));
    await using store = await openSqliteStore(folder.file('saved.db'));
    const { head } = (await store.session('beta'))!;
    const [entry] = await store.append('beta', conversation(user('Where were we?')));
    expect(entry!.seq).toBe(head + 1);
    expect(path.basename(store.facts.location)).toBe('saved.db');
  });
});
