import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { findSession, getSession } from '../../../src/session/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { SCHEMA_VERSION, schemaVersion } from '../../../src/store/sqlite/migrate.ts';
import { said } from '../../../src/testing/store-contract/promise.ts';
import { tempFolder } from '../../flows/child.ts';

const FIXTURE = path.join(import.meta.dirname, '../../fixtures/stores/version-1.db');
const FIRST = 'session_20260101_120000';
const UPPER = '0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D';

function copyOf(folder: { file(name: string): string }): string {
  const file = folder.file('store.db');
  copyFileSync(FIXTURE, file);
  return file;
}

describe('a store that version 1 wrote', () => {
  it('has everything it had, and is at the version of today', async () => {
    using folder = tempFolder();
    const file = copyOf(folder);
    {
      await using store = await openSqliteStore(file);
      expect(said(await store.read(FIRST)).slice(0, 2)).toEqual([
        'What is a log?',
        'A list that only grows.',
      ]);
      expect(said(await store.read(`${FIRST}_3`))).toEqual([
        'What is a log?',
        'A list that only grows.',
        'In a fork',
      ]);
      const { stored, listed, entries, problems } = await store.verify();
      expect({ stored, listed, entries, problems }).toEqual({
        stored: 5,
        listed: 5,
        entries: 11,
        problems: [],
      });
    }
    using db = new DatabaseSync(file, { readOnly: true });
    expect(schemaVersion(db)).toBe(SCHEMA_VERSION);
  });

  it('keeps sessions whose ids are the start of others, and tells them apart', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(copyOf(folder));
    for (const id of [FIRST, `${FIRST}_2`, `${FIRST}_3`]) {
      expect((await getSession(store, id)).id).toBe(id);
      expect((await findSession(store, id)).id).toBe(id);
    }
    await store.purge(`${FIRST}_3`);
    await store.purge(FIRST);
    await expect(getSession(store, FIRST)).rejects.toMatchObject({ code: 'session-gone' });
    await expect(store.purge(FIRST)).rejects.toMatchObject({ code: 'session-gone' });
    expect(said(await store.read(`${FIRST}_2`))).toEqual(['In the same second']);
  });

  it('finds a UUID in upper case by its very letters, and makes no second session beside it', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(copyOf(folder));
    expect(said(await store.read(UPPER, { limit: 1 }))).toEqual(['Under a UUID in upper case']);
    await expect(store.create({ id: UPPER })).rejects.toMatchObject({ code: 'session-exists' });
    await store.purge(UPPER);
    await expect(store.create({ id: UPPER })).rejects.toMatchObject({ code: 'session-gone' });
  });

  it('can be read as it is, without being changed', async () => {
    using folder = tempFolder();
    const file = copyOf(folder);
    {
      await using store = await openSqliteStore(file, { readOnly: true });
      expect(await store.read(FIRST)).toHaveLength(5);
      await expect(store.read('nowhere')).rejects.toMatchObject({ code: 'session-not-found' });
      expect((await store.verify()).problems).toEqual([]);
    }
    using db = new DatabaseSync(file, { readOnly: true });
    expect(schemaVersion(db)).toBe(1);
  });
});
