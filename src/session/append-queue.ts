import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { Entry, NewEntry, SessionId } from '../record/index.ts';

// Appends of one handle go out one after the other. When the disk refuses, the entries wait here with their ids, so that
// writing them later can neither lose, nor reorder, nor repeat one.

const RETRY_MS = 1000;
const REFUSALS = ['store-full', 'store-unwritable', 'store-busy'] as const;

export interface AppendQueue {
  readonly unsaved: readonly NewEntry[];
  /** `conditional` entries belong to the head their writer saw: if they cannot be written now, they are not kept. */
  append(entries: readonly NewEntry[], write: Write, options?: { conditional?: boolean }): Promise<Entry[]>;
  flush(): Promise<void>;
  stop(): void;
}

/** Writes entries to the store. */
export type Write = (entries: readonly NewEntry[]) => Promise<Entry[]>;

export interface AppendQueueOptions {
  /** Writes what had to wait: the head that the caller once expected says nothing any more. */
  readonly writeLate: Write;
  /** Called when what had to wait was written without anybody asking. */
  readonly onSaved: () => void;
}

export function createAppendQueue(id: SessionId, { writeLate, onSaved }: AppendQueueOptions): AppendQueue {
  const unsaved: NewEntry[] = [];
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = waiting++ === 0 ? work() : last.then(work);
    last = result.then(leave, leave);
    return result;
  }

  function leave(): void {
    waiting--;
  }

  async function attempt(entries: readonly NewEntry[], write: Write, conditional: boolean): Promise<Entry[]> {
    try {
      if (unsaved.length > 0) await writeLate([...unsaved]);
      unsaved.length = 0;
      return await write(entries);
    } catch (error) {
      if (!REFUSALS.some((code) => isThroughlineError(error, code))) throw error;
      if (conditional && unsaved.length === 0) throw error;
      if (!conditional) unsaved.push(...entries);
      clearTimeout(retry);
      retry = setTimeout(() => inTurn(flush).then(onSaved, () => {}), RETRY_MS).unref();
      throw notSaved(id, { waiting: unsaved.length, dropped: conditional }, error as Error);
    }
  }

  async function flush(): Promise<void> {
    if (unsaved.length > 0) await attempt([], async () => [], false);
  }

  return {
    unsaved,
    append: (entries, write, { conditional = false } = {}) =>
      inTurn(() => attempt(entries, write, conditional)),
    flush: () => inTurn(flush),
    stop: () => clearTimeout(retry),
  };
}

function notSaved(
  id: SessionId,
  { waiting, dropped }: { waiting: number; dropped: boolean },
  cause: Error,
): ThroughlineError {
  const what = waiting === 1 ? '1 entry is' : `${waiting} entries are`;
  const other = dropped ? ' What you asked for now depends on the head and is not kept: ask again then.' : '';
  return new ThroughlineError(
    'not-saved',
    `Session "${id}" is not being saved: ${what} only in memory. ${cause.message} They are written as soon as that works again.${other}`,
    { cause, details: { session: id, unsaved: waiting } },
  );
}
