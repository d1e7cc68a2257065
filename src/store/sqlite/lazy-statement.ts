import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementResultingChanges } from 'node:sqlite';

export interface LazyStatement {
  run(...values: SQLInputValue[]): StatementResultingChanges;
  get(...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined;
  all(...values: SQLInputValue[]): Record<string, SQLOutputValue>[];
}

/** Compiled when it is first used: there are fifty of them, and opening a session takes five. */
export function lazyStatement(db: DatabaseSync, sql: string): LazyStatement {
  let prepared: LazyStatement | undefined;
  const ready = () => {
    prepared ??= db.prepare(sql);
    return prepared;
  };
  return {
    run: (...values) => ready().run(...values),
    get: (...values) => ready().get(...values),
    all: (...values) => ready().all(...values),
  };
}

/** Columns in the order of the select: for rows that are read by the hundred, where making their names costs as much. */
export interface LazyRows<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
}

export function lazyRows<Row extends readonly unknown[]>(db: DatabaseSync, sql: string): LazyRows<Row> {
  let prepared: LazyRows<Row> | undefined;
  const ready = () => {
    prepared ??= db.prepare(sql, { returnArrays: true }) as unknown as LazyRows<Row>;
    return prepared;
  };
  return { get: (...values) => ready().get(...values), all: (...values) => ready().all(...values) };
}
