import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../../src/session/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { startChild, tempFolder } from '../../flows/child.ts';

async function storeWithOneSession(file: string): Promise<void> {
  await using store = await openSqliteStore(file);
  await store.create({ id: 's' }, [{ body: user('hello') }, { body: assistant('hi') }]);
}

describe('the file of a sqlite store', () => {
  it.runIf(process.platform !== 'win32')(
    'and every file beside it is for its owner alone, whatever the umask',
    async () => {
      using folder = tempFolder();
      const before = process.umask(0);
      try {
        await using store = await openSqliteStore(folder.file('deep/er/store.db'));
        await store.create({ id: 's' }, [{ body: user('secret') }]);
        const modes = readdirSync(folder.file('deep/er')).map((name) => [
          name,
          (statSync(folder.file(`deep/er/${name}`)).mode & 0o777).toString(8),
        ]);
        expect(Object.fromEntries(modes)).toEqual({
          'store.db': '600',
          'store.db-wal': '600',
          'store.db-shm': '600',
        });
        expect((statSync(folder.file('deep')).mode & 0o777).toString(8)).toBe('700');
      } finally {
        process.umask(before);
      }
    },
  );

  it('opens read-only when a newer version wrote it, names both versions, and shows everything', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    const db = new DatabaseSync(folder.file('store.db'));
    db.exec('pragma user_version = 99; alter table sessions add column mood text');
    db.close();
    const bytes = readFileSync(folder.file('store.db'));
    {
      await using store = await openSqliteStore(folder.file('store.db'));
      expect(store.facts.readOnly).toMatch(/newer version .*99.*writes 2/);
      expect(await store.read('s')).toHaveLength(2);
      await expect(store.append('s', [{ body: user('no') }])).rejects.toMatchObject({
        code: 'store-read-only',
      });
      await expect(store.rebuild()).rejects.toMatchObject({ code: 'store-read-only' });
    }
    expect(readFileSync(folder.file('store.db')).equals(bytes)).toBe(true);
  });

  it('is no longer written once a newer version has taken it over, and is still read', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    await using store = await openSqliteStore(folder.file('store.db'));
    await store.append('s', [{ body: user('before') }]);
    const db = new DatabaseSync(folder.file('store.db'));
    db.exec('pragma user_version = 99');
    db.close();
    expect(await store.read('s')).toHaveLength(3);
    const refusal = { code: 'store-unwritable', message: expect.stringMatching(/version 99.*writes 2/) };
    await expect(store.append('s', [{ body: user('no') }])).rejects.toMatchObject(refusal);
    await expect(store.append('s', [{ body: user('no') }])).rejects.toMatchObject(refusal);
    expect(await store.read('s')).toHaveLength(3);
  });

  it.each([
    { what: 'deleted', harm: (file: string) => rmSync(file) },
    { what: 'moved', harm: (file: string) => renameSync(file, `${file}.old`) },
    {
      what: 'replaced',
      harm(file: string) {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    },
    { what: 'left without its log', harm: (file: string) => rmSync(`${file}-wal`) },
  ])('keeps entries in memory, and says so, when the file is $what while it is open', async ({ harm }) => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    await using store = await openSqliteStore(file);
    const session = await createSession(store, { id: 's' });
    await session.append([user('on disk')]);
    harm(file);
    await expect(session.append([user('in memory')])).rejects.toMatchObject({ code: 'not-saved' });
    expect(session.unsaved).toHaveLength(1);
    await session.close().catch(() => {});
  });

  it('goes on when the file is back at its place', async () => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    await using store = await openSqliteStore(file);
    await using session = await createSession(store, { id: 's' });
    await session.append([user('one')]);
    renameSync(file, `${file}.old`);
    await expect(session.append([user('two')])).rejects.toMatchObject({ code: 'not-saved' });
    renameSync(`${file}.old`, file);
    await session.append([user('three')]);
    expect((await session.read()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('is refused, and left as it was, when it belongs to another program', async () => {
    using folder = tempFolder();
    const db = new DatabaseSync(folder.file('other.db'));
    db.exec('create table precious (x); insert into precious values (1)');
    db.close();
    const bytes = readFileSync(folder.file('other.db'));
    await expect(openSqliteStore(folder.file('other.db'))).rejects.toMatchObject({ code: 'store-foreign' });
    expect(readFileSync(folder.file('other.db')).equals(bytes)).toBe(true);
  });

  it.each([
    [
      'is no database at all',
      () => Buffer.from('just some text, much longer than the header of a database. '.repeat(100)),
    ],
    ['has a destroyed start', (bytes: Buffer) => Buffer.concat([Buffer.alloc(100, 7), bytes.subarray(100)])],
  ])('is refused as damaged, with what to do, when it %s', async (_, damage) => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    writeFileSync(folder.file('store.db'), damage(readFileSync(folder.file('store.db'))));
    const bytes = readFileSync(folder.file('store.db'));
    const opening = openSqliteStore(folder.file('store.db'));
    await expect(opening).rejects.toMatchObject({ code: 'store-damaged' });
    await expect(opening).rejects.toThrow('can be saved into a new store');
    expect(readFileSync(folder.file('store.db')).equals(bytes)).toBe(true);
  });

  it('says which entry is damaged instead of leaving it out', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    const db = new DatabaseSync(folder.file('store.db'));
    db.exec(`update entries set body = replace(body, 'hello', 'hullo')`);
    db.close();
    await using store = await openSqliteStore(folder.file('store.db'));
    await expect(store.read('s')).rejects.toMatchObject({
      code: 'entry-unreadable',
      details: { session: 's', seq: 1 },
    });
    const [sound] = await store.read('s', { after: 1 });
    expect(sound?.seq).toBe(2);
    const asked = { session: 's', entry: sound!.id };
    expect(await store.entries([asked])).toEqual([sound]);
    const { problems } = await store.verify();
    expect(problems.map(({ code }) => code)).toEqual(['entry-unreadable']);
  });

  it('finds a projection that is not what the log says, and mends it', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    const db = new DatabaseSync(folder.file('store.db'));
    db.exec(`delete from hot; update sessions set messages = 77; insert into tags values ('stray', 1)`);
    db.close();
    await using store = await openSqliteStore(folder.file('store.db'));
    expect((await store.verify()).problems.map(({ code }) => code)).toEqual(['projection-differs']);
    expect(await store.rebuild()).toEqual({ sessions: 1, changed: ['s'] });
    expect((await store.verify()).problems).toEqual([]);
    expect((await store.session('s'))!.totals.messages).toBe(2);
    expect((await store.list({ tag: 'stray', limit: 9 })).sessions).toEqual([]);
  });

  it('mends the sums beside entries too, also for forks from them', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    {
      await using store = await openSqliteStore(folder.file('store.db'));
      await store.create({ id: 'fork', parent: { session: 's', relation: 'fork', seq: 1 } }, [
        { body: user('other') },
      ]);
    }
    const db = new DatabaseSync(folder.file('store.db'));
    db.exec('update entries set messages = 50, total = 1');
    db.close();
    await using store = await openSqliteStore(folder.file('store.db'));
    expect(new Set((await store.verify()).problems.map(({ code }) => code))).toEqual(
      new Set(['projection-differs']),
    );
    expect((await store.rebuild()).changed).toEqual(['s', 'fork']);
    expect((await store.verify()).problems).toEqual([]);
    expect((await store.session('fork'))!.totals.messages).toBe(2);
  });

  it('lists a session whose projection cannot be read, takes no appends to it, and mends it from its log', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    const db = new DatabaseSync(folder.file('store.db'));
    db.exec(`update sessions set state = '{"tags":['`);
    db.close();
    await using store = await openSqliteStore(folder.file('store.db'));
    expect((await store.list({ limit: 9 })).sessions.map(({ id }) => id)).toEqual(['s']);
    await expect(store.append('s', [{ body: user('no') }])).rejects.toMatchObject({ code: 'store-damaged' });
    expect((await store.verify()).problems.map(({ code }) => code)).toEqual(['projection-differs']);
    expect((await store.rebuild()).changed).toEqual(['s']);
    await store.append('s', [{ body: user('yes') }]);
    expect((await store.verify()).problems).toEqual([]);
  });

  it('can be read where nothing may be written', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    const child = startChild('read-without-rights.ts', [folder.path]);
    expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
    expect(child.lines).toEqual(['2 entries', 'store-read-only', 'store-unwritable']);
  });

  it('reads entries written by another process, and leaves no log behind when closed', async () => {
    using folder = tempFolder();
    await using reader = await openSqliteStore(folder.file('store.db'));
    await storeWithOneSession(folder.file('store.db'));
    expect(await reader.read('s')).toHaveLength(2);
    await reader[Symbol.asyncDispose]();
    expect(existsSync(folder.file('store.db-wal'))).toBe(false);
  });

  it('can be copied while it is closed and opened elsewhere', async () => {
    using folder = tempFolder();
    await storeWithOneSession(folder.file('store.db'));
    copyFileSync(folder.file('store.db'), folder.file('copy.db'));
    await using store = await openSqliteStore(folder.file('copy.db'));
    expect(await store.read('s')).toHaveLength(2);
  });
});
