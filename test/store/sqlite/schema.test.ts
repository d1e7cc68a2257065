import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrate, SCHEMA_VERSION } from '../../../src/store/sqlite/migrate.ts';

it('has the schema that this version promises, whatever migrations it went through', async () => {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  const schema = db
    .prepare('select sql from sqlite_schema where sql is not null order by name')
    .all()
    .map((row) => row.sql)
    .join(';\n\n');
  await expect(`${schema};\n\n-- schema version ${SCHEMA_VERSION}\n`).toMatchFileSnapshot(
    '../../fixtures/schema.sql',
  );
  migrate(db);
  expect(db.prepare('pragma user_version').get()!.user_version).toBe(SCHEMA_VERSION);
});
