import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../record/index.ts';
import { forgetSessions } from './forget-sessions.ts';
import type { IndexScrubOptions } from './scrub-index.ts';
import { APPLICATION_ID, createTables } from './tables.ts';
import { isDamage } from './transact.ts';

/** Forgets sessions in an index, whatever it was made with. Other programs' files are left alone. */
export async function cleanIndex(
  file: string,
  sessions: readonly SessionId[],
  options: IndexScrubOptions,
): Promise<void> {
  const db = new DatabaseSync(file, { timeout: 20 });
  let usable = true;
  try {
    const { application_id } = db.prepare('pragma application_id').get()!;
    if (application_id !== APPLICATION_ID) return;
    usable = await forget(db, sessions, options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    usable = false;
  } finally {
    db.close();
  }
  if (!usable) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}

/** `false` for an index of another version, whose tables are not those we know. */
async function forget(
  db: DatabaseSync,
  sessions: readonly SessionId[],
  options: IndexScrubOptions,
): Promise<boolean> {
  db.exec('pragma secure_delete = on');
  const tables = tablesOf(db);
  if (!tables) return false;
  const rows = sessions.flatMap((id) => tables.session(id) ?? []);
  await forgetSessions(db, tables, rows, options);
  return true;
}

function tablesOf(db: DatabaseSync): ReturnType<typeof createTables> | undefined {
  try {
    return createTables(db);
  } catch (error) {
    if (isDamage(error)) throw error;
    return undefined;
  }
}
