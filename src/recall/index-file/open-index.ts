import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ThroughlineError } from '../../errors.ts';
import { APPLICATION_ID, INDEX_VERSION, SCHEMA } from './schema.ts';
import { resultCode, retryWhileBusy, transact } from './transact.ts';

const CORRUPT = 11;

export interface IndexOptions {
  /** What the index was made with; one that was made with something else is emptied. */
  readonly edition: string;
  readonly patienceMs: number;
}

/** Opens the index, empty if it is new, damaged, or made by another version or with other rules. */
export async function openIndex(file: string, options: IndexOptions): Promise<DatabaseSync> {
  if (file === ':memory:') return prepare(new DatabaseSync(file), options);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  try {
    return await openFile(file, options);
  } catch (error) {
    if (resultCode(error) !== CORRUPT) throw error;
    // It can be made again, so a damaged one is not worth a question. Files of other programs never get here.
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    closeSync(openSync(file, 'a', 0o600));
    return openFile(file, options);
  }
}

async function openFile(file: string, options: IndexOptions): Promise<DatabaseSync> {
  const db = new DatabaseSync(file, { timeout: 20 });
  try {
    await retryWhileBusy(() => refuseForeign(db, file), options);
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
    throw error;
  }
}

async function prepare(db: DatabaseSync, { edition, patienceMs }: IndexOptions): Promise<DatabaseSync> {
  db.exec('pragma secure_delete = on; pragma cache_size = -65536');
  const wanted = `${INDEX_VERSION} ${edition}`;
  if (editionOf(db) === wanted) return db;
  await transact(
    db,
    () => {
      // Read again under the lock: another process may have been faster.
      if (editionOf(db) === wanted) return;
      dropEverything(db);
      db.exec(SCHEMA);
      db.prepare(
        `insert into meta (name, value) values ('edition', ?), ('generation', '0'), ('messages', '0')`,
      ).run(wanted);
      db.exec(`pragma application_id = ${APPLICATION_ID}`);
    },
    { patienceMs },
  );
  return db;
}

function editionOf(db: DatabaseSync): string | undefined {
  const made = db.prepare(`select 1 from sqlite_schema where name = 'meta'`).get();
  return (
    made && (db.prepare(`select value from meta where name = 'edition'`).get()?.value as string | undefined)
  );
}

function dropEverything(db: DatabaseSync): void {
  const tables = ['meta', 'sessions', 'speakers', 'docs', 'paths', 'touches', 'meanings', 'words'];
  for (const table of tables) db.exec(`drop table if exists ${table}`);
}

function refuseForeign(db: DatabaseSync, file: string): void {
  const foreign = (cause?: unknown) =>
    new ThroughlineError(
      'store-foreign',
      `${file} is not a search index. Choose another file for it; this one was not changed.`,
      { cause, details: { location: file } },
    );
  let id: unknown;
  try {
    id = db.prepare('pragma application_id').get()!.application_id;
    if (id === APPLICATION_ID) return;
    if (db.prepare('select count(*) as tables from sqlite_schema').get()!.tables === 0) return;
  } catch (error) {
    if (resultCode(error) === 26) throw foreign(error);
    throw error;
  }
  throw foreign();
}
