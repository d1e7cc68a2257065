import type { DatabaseSync } from 'node:sqlite';
import type { SessionRow, Tables } from './tables.ts';
import { retryWhileBusy, transact } from './transact.ts';

/**
 * Removes sessions and leaves no trace of them in the file. The full-text index only marks what is deleted, so it is
 * written anew without it; overwritten pages are zeroed, and the log beside the file is emptied.
 */
export async function forgetSessions(
  db: DatabaseSync,
  tables: Tables,
  rows: readonly SessionRow[],
  { patienceMs }: { patienceMs: number },
): Promise<void> {
  if (rows.length === 0) return;
  await transact(
    db,
    () => {
      for (const { key } of rows) tables.removeSession(key);
      tables.countMessages();
      tables.setGeneration(tables.generation() + 1);
      db.exec(`insert into words (words) values ('optimize')`);
    },
    { patienceMs },
  );
  await retryWhileBusy(
    () => {
      const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
      if (busy) throw Object.assign(new Error('another process reads the index'), { errcode: 5 });
    },
    { patienceMs },
  );
}
