import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import {
  fileKind,
  MIGRATIONS,
  type Migration,
  migrate,
  schemaVersion,
} from '../../../src/store/sqlite/migrate.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { tempFolder } from '../../flows/child.ts';

const LATER: readonly Migration[] = [
  ...MIGRATIONS,
  { name: 'moods', sql: `alter table sessions add column mood text not null default 'calm'` },
  { name: 'weather', sql: 'create table weather (day text primary key); insert into weather values (1)' },
];

/** A store of today, with something in it. */
async function fill(file: string): Promise<void> {
  await using store = await openSqliteStore(file);
  await store.create({ id: 's' }, [{ body: user('hello') }, { body: assistant('hi '.repeat(50_000)) }]);
}

/** Everything the tables of today hold. */
function rowsOf(db: DatabaseSync): unknown {
  return ['sessions', 'entries', 'blobs'].map((table) =>
    db
      .prepare(`select * from ${table}`)
      .all()
      .map(({ mood: _, ...row }) => row),
  );
}

describe('a store of an older version', () => {
  it('goes through every step, and has all that it had', async () => {
    using folder = tempFolder();
    await fill(folder.file('store.db'));
    const db = new DatabaseSync(folder.file('store.db'));
    const before = rowsOf(db);
    migrate(db, LATER);
    expect([schemaVersion(db), rowsOf(db)]).toEqual([LATER.length, before]);
    expect(db.prepare('select mood from sessions').all()).toEqual([{ mood: 'calm' }]);
    migrate(db, LATER);
    expect(db.prepare('select count(*) as days from weather').get()).toEqual({ days: 1 });
    db.close();
    // And for the version of today it is one that a newer version wrote.
    await using store = await openSqliteStore(folder.file('store.db'));
    expect(store.facts.readOnly).toMatch(/newer version/);
    expect(await store.read('s')).toHaveLength(2);
  });

  it('stays as it was when a step fails', async () => {
    using folder = tempFolder();
    await fill(folder.file('store.db'));
    const db = new DatabaseSync(folder.file('store.db'));
    const before = rowsOf(db);
    const failing = [...LATER, { name: 'no', sql: 'insert into weather values (2); drop table nowhere' }];
    expect(() => migrate(db, failing)).toThrow(/no such table/);
    expect([schemaVersion(db), rowsOf(db)]).toEqual([MIGRATIONS.length, before]);
    expect(db.prepare(`select 1 from sqlite_schema where name = 'weather'`).get()).toBeUndefined();
    db.close();
  });

  it.each([1, 2, 3, 4])(
    'is the old one or the new one when it is killed after statement %i',
    async (after) => {
      using folder = tempFolder();
      await fill(folder.file('store.db'));
      const child = path.join(import.meta.dirname, 'migrate-and-die.ts');
      const { signal } = spawnSync(process.execPath, [child, folder.file('store.db'), String(after)]);
      expect(signal).toBe('SIGKILL');
      const db = new DatabaseSync(folder.file('store.db'));
      const version = schemaVersion(db);
      expect([MIGRATIONS.length, LATER.length]).toContain(version);
      expect(db.prepare(`select count(*) as made from sqlite_schema where name = 'weather'`).get()).toEqual({
        made: version === LATER.length ? 1 : 0,
      });
      expect(db.prepare('select count(*) as entries from entries').get()).toEqual({ entries: 2 });
      migrate(db, LATER);
      expect(schemaVersion(db)).toBe(LATER.length);
      db.close();
    },
  );
});

describe('a file that another process makes a store of', () => {
  it.each([0, 1, 2])('after %i looks at it is never taken for a file of another program', (looks) => {
    using folder = tempFolder();
    const db = new DatabaseSync(folder.file('store.db'));
    const other = new DatabaseSync(folder.file('store.db'));
    let left = looks;
    const makeWhenDue = () => {
      if (left-- === 0) migrate(other);
    };
    const watched = {
      prepare: (sql: string) => ({
        get: () => {
          makeWhenDue();
          return db.prepare(sql).get();
        },
      }),
    };
    expect(fileKind(watched as unknown as DatabaseSync)).toBe(looks === 2 ? 'empty' : 'store');
    db.close();
    other.close();
  });
});
