import type {
  DatabaseSync,
  SQLInputValue,
  SQLOutputValue,
  StatementResultingChanges,
  StatementSync,
} from 'node:sqlite';
import { isBusy, resultCode, retryWhileBusy, toStoreError } from '../driver-error.ts';

// One transaction holds every write that was asked for while the one before was being made durable. A commit costs one
// fsync however many writes it holds, so a server with many sessions pays for disk turns, not for messages.

/** Too big, against a constraint, of the wrong type, out of range. */
const VALUE_FAULTS: readonly number[] = [18, 19, 20, 25];

export interface StoreWriter {
  /** Runs `work` inside a transaction; resolves once it is durable. `work` is synchronous and may run again if busy. */
  write<T>(work: () => T): Promise<T>;
  /** Runs a read, all of it on the store as it was at one moment, waiting while another process has the file locked. */
  read<T>(work: () => T): Promise<T>;
  /** Runs what cannot be part of a transaction, waiting in the same way. */
  outside<T>(work: () => T): Promise<T>;
  /** Resolves when no write is waiting. */
  idle(): Promise<void>;
}

interface WriterOptions {
  readonly location: string;
  /** Let writes that are asked for in the same turn of the event loop share a commit. */
  readonly batch: boolean;
  readonly patienceMs: number;
  /** Called first in every transaction; under the write lock if it is one that writes. */
  readonly check: () => void;
  /** Called next if it writes; throws if it may not. */
  readonly guard: () => void;
  /** Called when something was undone. */
  readonly clear: () => void;
}

interface Attempt<T> {
  readonly work: () => T;
  /** What became of it in the last transaction that got as far as running it. */
  outcome?: { readonly value: T } | { readonly error: unknown };
}

interface Waiting<T> extends Attempt<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function createWriter(db: DatabaseSync, options: WriterOptions): StoreWriter {
  const { location, batch, patienceMs } = options;
  const commit = db.prepare('commit');
  const transaction = {
    ...options,
    begin: db.prepare('begin immediate'),
    commit,
    savepoint: lazyStatement(db, 'savepoint one'),
    release: lazyStatement(db, 'release one'),
  };
  const look = db.prepare('begin');
  const queue: Waiting<unknown>[] = [];
  let draining = false;
  let drained: Promise<void> = Promise.resolve();

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const writes = queue.splice(0);
      try {
        await retryWhileBusy(() => runTogether(db, writes, transaction), { patienceMs });
        for (const { outcome, resolve, reject } of writes) {
          if ('value' in outcome!) resolve(outcome.value);
          else reject(outcome!.error);
        }
      } catch (error) {
        for (const { reject } of writes) reject(toStoreError(error, location));
      }
    }
    draining = false;
  }

  /** Without the queue and its turns of the event loop. `undefined` if another process is writing. */
  function runAtOnce<T>(work: () => T): Promise<T> | undefined {
    const write: Attempt<T> = { work };
    try {
      runTogether(db, [write], transaction);
    } catch (error) {
      return isBusy(error) ? undefined : Promise.reject(toStoreError(error, location));
    }
    const outcome = write.outcome!;
    return 'value' in outcome ? Promise.resolve(outcome.value) : Promise.reject(outcome.error);
  }

  async function patiently<T>(work: () => T): Promise<T> {
    try {
      return await retryWhileBusy(work, { patienceMs });
    } catch (error) {
      throw toStoreError(error, location);
    }
  }

  return {
    write<T>(work: () => T) {
      const done = batch || draining ? undefined : runAtOnce(work);
      if (done) return done;
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
        if (draining) return;
        draining = true;
        const start = batch ? setImmediate : queueMicrotask;
        drained = new Promise((end) => start(() => drain().then(end)));
      });
    },
    read: (work) => patiently(() => runAtOneMoment(db, work, { look, commit, check: options.check })),
    outside: patiently,
    idle: () => drained,
  };
}

interface Transaction extends WriterOptions {
  readonly begin: StatementSync;
  readonly commit: StatementSync;
  readonly savepoint: LazyStatement;
  readonly release: LazyStatement;
}

/** All writes in one transaction. One that is refused is undone alone; if the disk refuses, none of them happened. */
function runTogether(
  db: DatabaseSync,
  writes: readonly Attempt<unknown>[],
  { begin, commit, savepoint, release, check, guard, clear }: Transaction,
): void {
  begin.run();
  try {
    check();
    guard();
    for (const write of writes) {
      if (writes.length > 1) savepoint.run();
      try {
        write.outcome = { value: write.work() };
      } catch (error) {
        if (failsAll(error)) throw error;
        write.outcome = { error };
        clear();
        db.exec(writes.length > 1 ? 'rollback to one' : 'rollback');
      }
      if (writes.length > 1) release.run();
    }
    if (db.isTransaction) commit.run();
  } catch (error) {
    clear();
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** A read takes several statements; without a transaction another process could commit between two of them. */
function runAtOneMoment<T>(
  db: DatabaseSync,
  work: () => T,
  { look, commit, check }: { look: StatementSync; commit: StatementSync; check: () => void },
): T {
  look.run();
  try {
    check();
    return work();
  } finally {
    if (db.isTransaction) commit.run();
  }
}

/** Values that the file cannot hold concern the write they came with; every other failure of SQLite's concerns all. */
function failsAll(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && !VALUE_FAULTS.includes(code);
}

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
interface LazyRows<Row> {
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
