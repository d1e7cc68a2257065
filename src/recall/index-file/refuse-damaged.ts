import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { resultCode } from '../../store/index.ts';
import { CORRUPT } from './transact.ts';

/** An index that SQLite can open and that still has other content than ours. Looks like SQLite's own word for it. */
class DamagedIndex extends Error {
  readonly errcode = CORRUPT;
}

const SQL_ERROR = 1;

/** Where a database says which formats may write it and read it; there are two. */
const FORMATS_AT = 18;
const NEWEST_FORMAT = 2;

/** All tables and indexes, as one short text. */
export function shapeOf(db: DatabaseSync): string {
  const hash = createHash('sha256');
  const rows = db.prepare('select type, name, tbl_name, sql from sqlite_schema order by name').all();
  for (const { type, name, tbl_name, sql } of rows)
    hash.update(JSON.stringify([type, name, tbl_name, String(sql)]));
  return hash.digest('base64url');
}

/** A flipped letter in the schema gives a table with another column, or words that are split in another way. */
export function refuseMisshapen(db: DatabaseSync): void {
  // One look: another process may be making the tables again with other rules.
  db.exec('begin');
  const whole = isWhole(db);
  db.exec('commit');
  if (!whole) throw new DamagedIndex('The search index is not as it was made.');
}

function isWhole(db: DatabaseSync): boolean {
  const noted = new Map(
    db
      .prepare('select name, value from meta')
      .all()
      .map(({ name, value }) => [name, value]),
  );
  return noted.has('generation') && noted.has('messages') && noted.get('shape') === shapeOf(db);
}

/** SQLite takes a database of an unknown format for one that may only be read, and complains at the first write. */
export function refuseUnknownFormat(file: string): void {
  const formats = Buffer.alloc(2);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, formats, 0, formats.length, FORMATS_AT);
  } finally {
    closeSync(handle);
  }
  if (Math.max(...formats) > NEWEST_FORMAT)
    throw new DamagedIndex('The search index has a format that nobody writes.');
}

/** Our own statements are right, so one that makes no sense to SQLite means that the tables are not ours any more. */
export function asDamage(error: unknown): unknown {
  if (resultCode(error) !== SQL_ERROR) return error;
  return new DamagedIndex('The tables of the search index are damaged.', { cause: error });
}
