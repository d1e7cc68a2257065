import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../migrate.ts';
import { type Column, isBlob, isInteger, isNull, isReal, isText } from './cells.ts';

export type TableName = 'sessions' | 'entries' | 'blobs' | 'purged';

/** What a row of a table looks like from outside: enough to know one when it is met anywhere in the file. */
export interface TableShape {
  readonly name: TableName;
  /** By name, its place among the columns. */
  readonly columns: ReadonlyMap<string, number>;
  fits(columns: readonly Column[]): boolean;
}

export interface Schema {
  readonly tables: readonly TableShape[];
  /** The pages that trees begin at in a new store; they never move, so they are there in an old one too. */
  readonly roots: ReadonlyMap<string, number>;
}

/** The columns of each table that salvaging needs; a row without them, from however old a version, is no use. */
const NEEDED: Readonly<Record<TableName, string>> = {
  sessions: 'head',
  entries: 'body',
  blobs: 'bytes',
  purged: 'at',
};

/** Asks an empty store for its own schema, so that there is no second description of it to fall behind. */
export function readSchema(): Schema {
  const db = new DatabaseSync(':memory:');
  try {
    migrate(db);
    const trees = db.prepare('select name, rootpage from sqlite_schema where rootpage > 0').all();
    return {
      tables: (Object.keys(NEEDED) as TableName[]).map((name) => shapeOf(db, name)),
      roots: new Map(trees.map((tree) => [tree.name as string, tree.rootpage as number])),
    };
  } finally {
    db.close();
  }
}

function shapeOf(db: DatabaseSync, name: TableName): TableShape {
  const infos = db.prepare('select name, type, "notnull", pk from pragma_table_xinfo(?)').all(name);
  const columns = new Map(infos.map((info, index) => [info.name as string, index]));
  const tests = infos.map(({ type, notnull, pk }) =>
    testOf(String(type), { key: pk === 1, needed: notnull === 1 }),
  );
  const least = columns.get(NEEDED[name])! + 1;
  return {
    name,
    columns,
    // Columns that a later version has added are missing at the end of older rows, as the file format permits.
    fits: (found) =>
      found.length >= least &&
      found.length <= tests.length &&
      found.every((column, index) => tests[index]!(column)),
  };
}

const TESTS: Readonly<Record<string, (column: Column) => boolean>> = {
  INTEGER: isInteger,
  TEXT: isText,
  BLOB: isBlob,
  // A whole number in a column of reals is kept as an integer.
  REAL: (column) => isReal(column) || isInteger(column),
};

function testOf(type: string, { key, needed }: { key: boolean; needed: boolean }) {
  // An integer key is the row's own number and stands outside the record; its column is empty.
  if (key && type === 'INTEGER') return isNull;
  const test = TESTS[type]!;
  return needed ? test : (column: Column) => isNull(column) || test(column);
}
