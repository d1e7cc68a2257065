import {
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSqliteStore, salvageStore } from '../../../src/store/sqlite/index.ts';
import { conversation, user } from '../../../src/testing/index.ts';
import {
  contentsOf,
  fillStore,
  fingerprint,
  newFolder,
  PAGE,
  problemsOf,
  rowsOf,
  uniqueText,
} from './salvage-fixture.ts';

const FRAME = PAGE + 24;

/** What another process would find if the machine stopped now. */
function snapshot(file: string, copy: string): void {
  for (const part of ['', '-wal']) if (existsSync(file + part)) copyFileSync(file + part, copy + part);
}

async function talk(store: Awaited<ReturnType<typeof openSqliteStore>>, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) {
    await store.append('talk', conversation(user(uniqueText(`turn${turn}`, 300))));
  }
}

/** The texts that were saved of a session called "talk". */
async function said(file: string): Promise<string[]> {
  const { entries } = await contentsOf(file);
  return (entries.talk ?? []).map(({ body }) => /turn\d+|lost/.exec(JSON.stringify(body))![0]);
}

const turns = (count: number) => Array.from({ length: count }, (_, at) => `turn${at + 1}`);

/** A store of which the log holds the last `count` appends, each a transaction of its own. */
async function talkInLog(folder: ReturnType<typeof newFolder>, count: number): Promise<string> {
  const [file, copy] = [folder.file('store.db'), folder.file('copy.db')];
  await using store = await openSqliteStore(file);
  await store.create({ id: 'talk' });
  await talk(store, count);
  snapshot(file, copy);
  return copy;
}

describe('salvaging a store with a write-ahead log', () => {
  it('saves commits that are not in the file yet, and changes neither', async () => {
    await using folder = newFolder();
    const [file, copy] = [folder.file('store.db'), folder.file('copy.db')];
    await using store = await openSqliteStore(file);
    await fillStore(store);
    snapshot(file, copy);
    expect(statSync(`${copy}-wal`).size).toBeGreaterThan(50 * FRAME);
    const before = fingerprint(copy);
    const report = await salvageStore(copy, folder.file('saved.db'));
    expect(fingerprint(copy)).toBe(before);
    expect(await contentsOf(folder.file('saved.db'))).toEqual(await contentsOf(file));
    expect(report).toMatchObject({ unreadable: [], bytesLost: 0 });
  });

  it('finds the log of a file that it is given a link to', async () => {
    await using folder = newFolder();
    const copy = await talkInLog(folder, 20);
    symlinkSync(copy, folder.file('link.db'));
    await salvageStore(folder.file('link.db'), folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual(turns(20));
  });

  it('saves from a store that is open and being written to', async () => {
    await using folder = newFolder();
    await using store = await openSqliteStore(folder.file('store.db'));
    await store.create({ id: 'talk' });
    await talk(store, 30);
    await salvageStore(folder.file('store.db'), folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual(turns(30));
    await talk(store, 1);
  });

  it('ignores the frames of an older log behind the end of this one', async () => {
    await using folder = newFolder();
    const [file, copy] = [folder.file('store.db'), folder.file('copy.db')];
    await using store = await openSqliteStore(file);
    await fillStore(store);
    using db = new DatabaseSync(file);
    db.exec('pragma wal_checkpoint(restart)');
    await store.create({ id: 'talk' });
    await talk(store, 3);
    snapshot(file, copy);
    const report = await salvageStore(copy, folder.file('saved.db'));
    expect(await contentsOf(folder.file('saved.db'))).toEqual(await contentsOf(file));
    expect(report).toMatchObject({ unreadable: [], bytesLost: 0 });
  });

  it.each([1, 25, FRAME - 1])(
    'ignores a last frame that is torn %i bytes before its end',
    async (missing) => {
      await using folder = newFolder();
      const copy = await talkInLog(folder, 20);
      truncateSync(`${copy}-wal`, statSync(`${copy}-wal`).size - missing);
      await salvageStore(copy, folder.file('saved.db'));
      expect(await said(folder.file('saved.db'))).toEqual(turns(19));
      expect(await problemsOf(folder.file('saved.db'))).toEqual([]);
    },
  );

  it('ignores a transaction that was not committed', async () => {
    await using folder = newFolder();
    const [file, copy] = [folder.file('store.db'), folder.file('copy.db')];
    await using store = await openSqliteStore(file);
    await store.create({ id: 'talk' });
    await talk(store, 5);
    const { size } = statSync(`${file}-wal`);
    await store.append('talk', conversation(...turns(60).map((turn) => user(uniqueText(turn, 2000)))));
    snapshot(file, copy);
    expect(statSync(`${copy}-wal`).size).toBeGreaterThan(size + 3 * FRAME);
    truncateSync(`${copy}-wal`, statSync(`${copy}-wal`).size - FRAME);
    await salvageStore(copy, folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual(turns(5));
  });

  it.each([
    { what: 'the header of the log', at: 8 },
    { what: 'the checksum of a frame', at: 32 + 12 * FRAME + 17 },
    { what: 'the page in a frame', at: 32 + 12 * FRAME + 24 + 2000 },
    { what: 'the salt of a frame', at: 32 + 12 * FRAME + 9 },
  ])('goes on behind damage to $what, where SQLite would stop', async ({ at }) => {
    await using folder = newFolder();
    const copy = await talkInLog(folder, 40);
    const log = readFileSync(`${copy}-wal`);
    log.writeUInt8(log.readUInt8(at) ^ 0xff, at);
    writeFileSync(`${copy}-wal`, log);
    await salvageStore(copy, folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual(turns(40));
    expect(await problemsOf(folder.file('saved.db'))).toEqual([]);
  });

  it('falls back on the page in the file where its latest version is damaged', async () => {
    await using folder = newFolder();
    const [file, copy] = [folder.file('store.db'), folder.file('copy.db')];
    await using store = await openSqliteStore(file);
    await store.create({ id: 'talk' });
    await talk(store, 3);
    await store.create(
      { id: 'later' },
      conversation(...turns(40).map((turn) => user(uniqueText(turn, 900)))),
    );
    using db = new DatabaseSync(file);
    db.exec('pragma wal_checkpoint(restart)');
    await store.append('talk', conversation(user(uniqueText('turn4', 300))));
    await store.append('later', conversation(user(uniqueText('turn41', 300))));
    snapshot(file, copy);
    const log = readFileSync(`${copy}-wal`);
    const frame = Math.floor((log.indexOf('turn4.0 turn4.1') - 32) / FRAME);
    log.fill(0xdd, 32 + frame * FRAME + 24, 32 + (frame + 1) * FRAME);
    writeFileSync(`${copy}-wal`, log);
    const report = await salvageStore(copy, folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual([...turns(3), 'lost']);
    expect(report.unreadable).toEqual([
      { session: 'talk', seq: 4, reason: 'nothing of it was found' },
      { reason: expect.stringMatching(/^not all of page \d+ could be read$/) },
    ]);
    const { entries } = await contentsOf(folder.file('saved.db'));
    expect(entries.later).toHaveLength(41);
  });

  it('does without the main file, if the log has everything', async () => {
    await using folder = newFolder();
    const copy = await talkInLog(folder, 20);
    writeFileSync(copy, '');
    await salvageStore(copy, folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual(turns(20));
  });

  it('does without the log, with what the file has', async () => {
    await using folder = newFolder();
    const file = folder.file('store.db');
    await using store = await openSqliteStore(file);
    await store.create({ id: 'talk' });
    await talk(store, 10);
    using db = new DatabaseSync(file);
    db.exec('pragma wal_checkpoint(full)');
    await talk(store, 5);
    copyFileSync(file, folder.file('copy.db'));
    await salvageStore(folder.file('copy.db'), folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual(turns(10));
  });
});

describe('purged sessions', () => {
  const SECRET = 'the-password-is-';

  async function purged(
    folder: ReturnType<typeof newFolder>,
    { reader }: { reader: boolean },
  ): Promise<string> {
    const [file, copy] = [folder.file('store.db'), folder.file('copy.db')];
    await using store = await openSqliteStore(file, { patienceMs: 50 });
    await store.create({ id: 'talk' });
    await talk(store, 10);
    const secrets = Array.from({ length: 30 }, (_, at) => user(uniqueText(`${SECRET}${at}`, 200 + at * 20)));
    await store.create({ id: 'secret' }, conversation(...secrets, user(uniqueText(SECRET, 60_000))));
    using db = new DatabaseSync(file);
    // A reader keeps the log from being emptied, so it still holds the pages as they were before.
    if (reader) db.exec('begin; select count(*) from sessions');
    await store.purge('secret').catch(() => {});
    await store.append('talk', conversation(user(uniqueText('turn11', 300))));
    snapshot(file, copy);
    return copy;
  }

  it.each([
    { reader: false, what: 'the file' },
    { reader: true, what: 'older pages in the log' },
  ])('does not come back from $what', async ({ reader }) => {
    await using folder = newFolder();
    const copy = await purged(folder, { reader });
    if (reader) expect(readFileSync(`${copy}-wal`).includes(SECRET)).toBe(true);
    const report = await salvageStore(copy, folder.file('saved.db'));
    expect(await said(folder.file('saved.db'))).toEqual(turns(11));
    expect(report).toMatchObject({ sessions: 1, entries: 11, unreadable: [] });
    expect(readFileSync(folder.file('saved.db')).includes(SECRET)).toBe(false);
    await using saved = await openSqliteStore(folder.file('saved.db'));
    await expect(saved.create({ id: 'secret' })).rejects.toMatchObject({ code: 'session-gone' });
  });

  it('does not come back from an older page when the latest one is damaged', async () => {
    await using folder = newFolder();
    const copy = await purged(folder, { reader: true });
    const log = readFileSync(`${copy}-wal`);
    expect(log.length).toBeGreaterThan(50 * FRAME);
    for (let start = 32; start + FRAME <= log.length; start += FRAME) {
      const damaged = Buffer.from(log);
      damaged.fill(0xdd, start + 24, start + 40);
      writeFileSync(`${copy}-wal`, damaged);
      const saved = folder.file(`saved-${start}.db`);
      await salvageStore(copy, saved);
      expect([...rowsOf(saved).values()].filter(({ body }) => body.includes(SECRET))).toEqual([]);
      expect(await said(saved)).toEqual(expect.arrayContaining(turns(9)));
    }
  });
});
