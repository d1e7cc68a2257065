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
