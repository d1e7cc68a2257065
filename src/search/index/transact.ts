import type { DatabaseSync } from 'node:sqlite';
import { resultCode, retryWhileBusy } from '../../store/index.ts';

export const CORRUPT = 11;
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
        throw error;
      }
    },
    { patienceMs },
  );
}

/** The content of the file differs from the content written. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}
