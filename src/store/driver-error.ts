import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, ThroughlineError } from '../errors.ts';

export const SQLITE_BUSY = 5;
const LOCKED = 6;
const FULL = 13;
/** An extended code of SQLite's: the file that processes share beside the log could not be made long enough. */
const NO_ROOM_FOR_SHARED_MEMORY = 4874;

/** Another connection is writing right now; trying again is all there is to do. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === SQLITE_BUSY || code === LOCKED;
}

/** Runs `work` again while another connection writes, for `patienceMs`. */
export async function retryWhileBusy<T>(work: () => T, { patienceMs }: { patienceMs: number }): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
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

const MEANINGS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  [SQLITE_BUSY]: [
    'store-busy',
    'other processes kept it busy. Try again; if it stays so, look for a process that hangs',
  ],
  [LOCKED]: [
    'store-busy',
    'other processes kept it busy. Try again; if it stays so, look for a process that hangs',
  ],
  3: ['store-unwritable', 'the system does not permit it. Check who owns the file and its folder'],
  8: [
    'store-unwritable',
    'the file cannot be written. Check its permissions, or copy it to a folder of your own',
  ],
  10: ['store-unwritable', 'the disk reported an error. Check the disk and its quota, then try again'],
  11: [
    'store-damaged',
    'the file is damaged. Nothing was changed, and what can be read can be saved into a new store',
  ],
  [FULL]: ['store-full', 'the disk is full. Free some room, then try again; what is already stored is safe'],
  14: ['store-unwritable', 'the file cannot be opened. Check that its folder exists and belongs to you'],
  26: [
    'store-damaged',
    'the file is not a database, or its start is damaged. Nothing was changed, and what can be read can be saved into a new store',
  ],
};

/** The code of an error of SQLite's, and the reason with what to do; `undefined` for any other error. */
export function sqliteMeaning(error: unknown): readonly [code: ErrorCode, what: string] | undefined {
  const isFull = (error as { errcode?: unknown } | null)?.errcode === NO_ROOM_FOR_SHARED_MEMORY;
  return MEANINGS[isFull ? FULL : (resultCode(error) ?? -1)];
}

/** What a SQLite failure means to a caller; errors that are none of SQLite's pass through. */
export function toStoreError(error: unknown, location: string): unknown {
  const meaning = sqliteMeaning(error);
  if (!meaning) return error;
  const [code, what] = meaning;
  return new ThroughlineError(code, `The store ${location} could not be used: ${what}.`, {
    cause: error,
    details: { location },
  });
}
