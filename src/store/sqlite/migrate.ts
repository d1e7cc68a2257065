import type { DatabaseSync } from 'node:sqlite';
import { sessionsEntriesBlobsLeases } from './migrations/0001-sessions-entries-blobs-leases.ts';
import { purgedIds } from './migrations/0002-purged-ids.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** In order; the position + 1 is the schema version (`pragma user_version`). Released ones are never edited. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-sessions-entries-blobs-leases', sql: sessionsEntriesBlobsLeases },
  { name: '0002-purged-ids', sql: purgedIds },
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Marks the file as ours ("Thru"), so that another program's database is refused instead of being changed. */
const APPLICATION_ID = 0x54687275;

export function schemaVersion(db: DatabaseSync): number {
  return db.prepare('pragma user_version').get()!.user_version as number;
}

/**
 * Whether the file is a store, is empty and may become one, or belongs to another program. The tables are looked at
 * before the mark: a process that makes the store between the two looks commits both at once.
 */
export function fileKind(db: DatabaseSync): 'store' | 'empty' | 'foreign' {
  const { tables } = db.prepare('select count(*) as tables from sqlite_schema').get()!;
  if (db.prepare('pragma application_id').get()!.application_id === APPLICATION_ID) return 'store';
  return tables === 0 ? 'empty' : 'foreign';
}

/** Brings the schema up to date, all steps in one transaction: a kill leaves the old version or the new one. */
export function migrate(db: DatabaseSync, steps: readonly Migration[] = MIGRATIONS): void {
  if (schemaVersion(db) >= steps.length) return;
  db.exec('begin immediate');
  try {
    // Read again under the lock: another process may have been faster.
    for (let version = schemaVersion(db); version < steps.length; version++) {
      db.exec(steps[version]!.sql);
      db.exec(`pragma user_version = ${version + 1}`);
    }
    db.exec(`pragma application_id = ${APPLICATION_ID}`);
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
