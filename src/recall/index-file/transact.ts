import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ThroughlineError } from '../../errors.ts';

const BUSY = 5;
const LOCKED = 6;
export const CORRUPT = 11;
const FULL = 13;
export const NOT_A_DATABASE = 26;

/** Runs `work` in one transaction, waiting while another process writes. It may run again, so it must not remember. */
export async function transact<T>(
  db: DatabaseSync,
  work: () => T,
  { patienceMs }: { patienceMs: number },
): Promise<T> {
  return retryWhileBusy(
    () => {
      db.exec('begin immediate');
      try {
        const result = work();
        db.exec('commit');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('rollback');
        throw resultCode(error) === FULL ? diskFull(error) : error;
      }
    },
    { patienceMs },
  );
}

export async function retryWhileBusy<T>(work: () => T, { patienceMs }: { patienceMs: number }): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() > deadline) {
        throw new ThroughlineError(
          'store-busy',
          'The search index could not be written: other processes kept it busy. Try again; if it stays so, look for a process that hangs.',
          { cause: error },
        );
      }
    }
    // Waiting outside SQLite keeps the event loop alive; the jitter keeps processes from meeting again.
    await delay(Math.random() * Math.min(50, 2 ** attempt));
  }
}

/** SQLite's primary result code, or `undefined` for any other error. */
export function resultCode(error: unknown): number | undefined {
  const errcode = (error as { errcode?: unknown } | null)?.errcode;
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** What is in the file cannot be what was written. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

function diskFull(cause: unknown): ThroughlineError {
  return new ThroughlineError(
    'store-full',
    'The search index could not be written: the disk is full. Free some room, then try again; the sessions are safe.',
    { cause },
  );
}

function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}
