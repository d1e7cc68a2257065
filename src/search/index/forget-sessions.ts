import type { DatabaseSync } from 'node:sqlite';
import { createBlocksTable } from './blocks-table.ts';
import { type IndexScrubOptions, noteDeleted, scrubIndex } from './scrub-index.ts';
import { docsOf, type IndexSessionRow, type IndexTables } from './tables.ts';
import { transact } from './transact.ts';

/** Removes sessions and leaves no trace of them in the file. They cannot be found from the first moment on. */
export async function forgetSessions(
  db: DatabaseSync,
  tables: IndexTables,
  rows: readonly IndexSessionRow[],
  options: IndexScrubOptions,
): Promise<void> {
  if (rows.length > 0) {
    await transact(
      db,
      () => {
        const blocks = createBlocksTable(db);
        for (const { key } of rows) {
          blocks.forget(...docsOf(key));
          tables.removeSession(key);
        }
        tables.countMessages();
        tables.setGeneration(tables.generation() + 1);
        noteDeleted(db);
      },
      options,
    );
  }
  await scrubIndex(db, options);
}
