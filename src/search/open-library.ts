import type { DatabaseSync } from 'node:sqlite';
import type { Shelf } from './catch-up.ts';
import { createBlocksTable } from './index/blocks-table.ts';
import { forgetSessions } from './index/forget-sessions.ts';
import { createBatchWriter } from './index/index-batch.ts';
import type { Opened } from './index/keep-open.ts';
import { type IndexOptions, openIndexFile, refuseOtherEdition } from './index/open-index.ts';
import { createTables, type IndexTables } from './index/tables.ts';
import { transact } from './index/transact.ts';
import { fillMeanings } from './meaning/fill-meanings.ts';
import { createMeaningMatrix } from './meaning/meaning-matrix.ts';
import type { PageSource } from './prepare-page.ts';
import { createNewestFirst } from './words/newest-first.ts';
import type { Searcher } from './words/search-messages.ts';
import { createWordSearch } from './words/search-words.ts';

/** An open index, with everything that reads and writes it. */
interface Library extends Opened {
  readonly db: DatabaseSync;
  readonly tables: IndexTables;
  readonly shelf: Shelf;
  readonly searcher: Searcher;
  /** It took the place of another one and has not read the logs yet. */
  behind: boolean;
}

export async function openLibrary(
  file: string,
  source: PageSource,
  { behind, ...options }: IndexOptions & { behind: boolean },
): Promise<Library> {
  const db = await openIndexFile(file, options);
  try {
    return { ...furnish(db, source, options), behind };
  } catch (error) {
    db.close();
    throw error;
  }
}

function furnish(db: DatabaseSync, source: PageSource, { edition, patienceMs }: IndexOptions) {
  const tables = createTables(db);
  const blocks = createBlocksTable(db);
  const writeBatch = createBatchWriter(db, tables, blocks);
  const transaction = <T>(work: () => T): Promise<T> =>
    transact(
      db,
      () => {
        refuseOtherEdition(db, edition);
        return work();
      },
      { patienceMs },
    );
  const shelf: Shelf = {
    session: tables.session,
    sessions: tables.sessions,
    write: (pages) => transaction(() => writeBatch(pages)),
    forget: (rows) => forgetSessions(db, tables, rows, { patienceMs }),
    fillMeanings: (onStep) => fillMeanings(db, tables, { ...source, blocks, transaction, onStep }),
  };
  const searcher: Searcher = {
    ...source,
    tables,
    words: createWordSearch(db, tables),
    matrix: createMeaningMatrix(db, tables, blocks),
    newest: createNewestFirst(db, tables),
  };
  return {
    db,
    tables,
    shelf,
    searcher,
    close() {
      if (db.isOpen) db.close();
    },
  };
}
