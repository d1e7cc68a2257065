import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { openSqliteStore } from '../src/store/sqlite/index.ts';

/** The entries of a store, row by row and column by column, as the file holds them. */
export function readRows(file: string): SQLInputValue[][] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare('select * from entries', { returnArrays: true }).all() as unknown as SQLInputValue[][];
  } finally {
    db.close();
  }
}

const AT_ONCE = 400;

/** The same rows into the same table with the same indexes, through one bare statement that is told every value. */
export async function insertBare(file: string, rows: readonly SQLInputValue[][]): Promise<void> {
  await (await openSqliteStore(file, { durability: 'normal' }))[Symbol.asyncDispose]();
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = normal');
  const insert = db.prepare(`insert into entries values (${rows[0]!.map(() => '?').join(', ')})`);
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    db.exec('begin immediate');
    for (const row of rows.slice(start, start + AT_ONCE)) insert.run(...row);
    db.exec('commit');
  }
  db.close();
}
