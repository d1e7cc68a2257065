import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { retryWhileBusy } from '../../store/index.ts';
import { transact } from './transact.ts';

// The full-text table only marks deleted rows, so its words are written anew without it, piece by piece: in a large index
// that takes a minute or two, and no caller has to wait for it. Other tables overwrite deleted rows with zeros, but older
// copies of pages wait in the log beside the file until it is emptied. A note in the transaction that deletes says that all
// this has to be done: a kill in between leaves the note, and the next opening goes on.

export interface IndexScrubOptions {
  readonly patienceMs: number;
  /** In pages of the full-text table, about. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

/** Pages that are written anew at once. */
const STEP = 1000;

/** To be called in the transaction that deletes. */
export function noteDeleted(db: DatabaseSync): void {
  db.exec(`insert or replace into meta (name, value) values ('scrub', '1')`);
}

/** Leaves no trace of deleted rows. Waits for processes that are reading. */
export async function scrubIndex(db: DatabaseSync, options: IndexScrubOptions): Promise<void> {
  if (!db.prepare(`select 1 from meta where name = 'scrub'`).get()) return;
  await rewriteWords(db, options);
  await retryWhileBusy(() => {
    const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    if (busy) throw Object.assign(new Error('another process reads the index'), { errcode: 5 });
  }, options);
  await retryWhileBusy(() => db.exec(`delete from meta where name = 'scrub'`), options);
}

/** Merges all segments into one, which is what "optimize" does, in steps. */
async function rewriteWords(db: DatabaseSync, { patienceMs, onProgress }: IndexScrubOptions): Promise<void> {
  const merge = db.prepare(`insert into words (words, rank) values ('merge', ?)`);
  const changes = db.prepare('select total_changes() as changes');
  const total = db.prepare('select count(*) as pages from words_data').get()!.pages as number;
  /** Negative: everything that is there now is to be merged. Returns whether there was anything left to do. */
  const step = (pages: number) =>
    transact(
      db,
      () => {
        const before = changes.get()!.changes as number;
        merge.run(pages);
        return (changes.get()!.changes as number) - before >= 2;
      },
      { patienceMs },
    );
  let done = STEP;
  for (let more = await step(-STEP); more; more = await step(STEP)) {
    onProgress?.({ done: Math.min(done, total), total });
    done += STEP;
    await nextTurn();
  }
}
