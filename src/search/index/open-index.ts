import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ThroughlineError } from '../../errors.ts';
import { keepPrivate, resultCode, retryWhileBusy } from '../../store/index.ts';
import { noteDeleted, scrubIndex } from './scrub-index.ts';
import { APPLICATION_ID, INDEX_VERSION, SCHEMA, TABLES } from './tables.ts';
import { CORRUPT, NOT_A_DATABASE, transact } from './transact.ts';

export interface IndexOptions {
  /** What the index was made with; one that was made with something else is emptied. */
  readonly edition: string;
  readonly patienceMs: number;
  /** The name was made up here: a file there that is no database is a damaged index, not a user's file. */
  readonly ours: boolean;
}

/** Opens the index, empty if it is new, or made by another version or with other rules. A damaged one throws. */
export async function openIndexFile(file: string, options: IndexOptions): Promise<DatabaseSync> {
  if (file === ':memory:') return prepare(new DatabaseSync(file), options);
  makeFile(file);
  const db = new DatabaseSync(file, { timeout: 20 });
  try {
    await retryWhileBusy(() => refuseForeign(db, file, options), options);
    refuseUnknownFormat(file);
    await retryWhileBusy(
      () =>
        db.exec(
          'pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 67108864',
        ),
      options,
    );
    return await prepare(db, options);
  } catch (error) {
    db.close();
    throw asDamage(error);
  }
}

/** Another process may have made the index again with other rules; what we write would not belong there. */
export function refuseOtherEdition(db: DatabaseSync, edition: string): void {
  if (editionOf(db) === fullEdition(edition)) return;
  throw new ThroughlineError(
    'store-busy',
    'Another program has made the search index again, with other rules or another embedder. Open it again, or give it a file of its own.',
  );
}

function makeFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  else keepPrivate([file, `${file}-wal`, `${file}-shm`]);
}

async function prepare(db: DatabaseSync, { edition, patienceMs }: IndexOptions): Promise<DatabaseSync> {
  db.exec('pragma secure_delete = on; pragma cache_size = -65536');
  const wanted = fullEdition(edition);
  if (editionOf(db) !== wanted) {
    await transact(
      db,
      () => {
        // Read again under the lock: another process may have been faster.
        if (editionOf(db) === wanted) return;
        for (const table of TABLES) db.exec(`drop table if exists ${table}`);
        db.exec(SCHEMA);
        db.prepare(
          `insert into meta (name, value)
           values ('edition', ?), ('generation', '0'), ('messages', '0'), ('shape', ?)`,
        ).run(wanted, shapeOf(db));
        db.exec(`pragma application_id = ${APPLICATION_ID}`);
        noteDeleted(db);
      },
      { patienceMs },
    );
  }
  refuseMisshapen(db);
  await scrubIndex(db, { patienceMs });
  return db;
}

function fullEdition(edition: string): string {
  return `${INDEX_VERSION} ${edition}`;
}

function editionOf(db: DatabaseSync): string | undefined {
  const made = db.prepare(`select 1 from sqlite_schema where name = 'meta'`).get();
  return (
    made && (db.prepare(`select value from meta where name = 'edition'`).get()?.value as string | undefined)
  );
}

function refuseForeign(db: DatabaseSync, file: string, { ours }: IndexOptions): void {
  const foreign = (cause?: unknown) =>
    new ThroughlineError(
      'store-foreign',
      `${file} is not a search index. Choose another file for it; this one was not changed.`,
      { cause, details: { location: file } },
    );
  try {
    // The tables before the mark: a process that makes the index between the two looks commits both at once.
    const names = db.prepare('select name from sqlite_schema').all();
    if (names.length === 0) return;
    if (db.prepare('pragma application_id').get()!.application_id === APPLICATION_ID) return;
    if (ours && TABLES.every((table) => names.some(({ name }) => name === table))) return;
  } catch (error) {
    if (resultCode(error) === NOT_A_DATABASE && !ours) throw foreign(error);
    throw error;
  }
  throw foreign();
}

/** An index that SQLite can open and that still has other content than ours. Looks like SQLite's own word for it. */
class DamagedIndex extends Error {
  readonly errcode = CORRUPT;
}

const SQL_ERROR = 1;

/** Where a database says which formats may write it and read it; there are two. */
const FORMATS_AT = 18;
const NEWEST_FORMAT = 2;

/** All tables and indexes, as one short text. */
function shapeOf(db: DatabaseSync): string {
  const hash = createHash('sha256');
  const rows = db.prepare('select type, name, tbl_name, sql from sqlite_schema order by name').all();
  for (const { type, name, tbl_name, sql } of rows)
    hash.update(JSON.stringify([type, name, tbl_name, String(sql)]));
  return hash.digest('base64url');
}

/** A flipped letter in the schema gives a table with another column, or words that are split in another way. */
function refuseMisshapen(db: DatabaseSync): void {
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
function refuseUnknownFormat(file: string): void {
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
function asDamage(error: unknown): unknown {
  if (resultCode(error) !== SQL_ERROR) return error;
  return new DamagedIndex('The tables of the search index are damaged.', { cause: error });
}
