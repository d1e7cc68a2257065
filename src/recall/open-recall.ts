import { statSync } from 'node:fs';
import path from 'node:path';
import type { SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { catchUp } from './catch-up.ts';
import { forgetSessions } from './index-file/forget-sessions.ts';
import { createBatchWriter } from './index-file/index-batch.ts';
import { createTables } from './index-file/tables.ts';
import { transact } from './index-file/transact.ts';
import { createSenses } from './meaning/embed-message.ts';
import { fillMeanings } from './meaning/fill-meanings.ts';
import { createMeaningMatrix } from './meaning/meaning-matrix.ts';
import { loadWordTable } from './meaning/word-table.ts';
import type { Recall, RecallOptions } from './recall.ts';
import { createNewestFirst } from './search/newest-first.ts';
import { searchMessages } from './search/search-messages.ts';
import { createWordSearch } from './search/search-words.ts';

/** Opens the search index of a store, making it if it is not there. Call `catchUp` before the first search. */
export async function openRecall(
  store: Store,
  {
    file = besideStore(store),
    redact = same,
    edition = '',
    embedder,
    patienceMs = 30_000,
  }: RecallOptions = {},
): Promise<Recall> {
  const location = file === ':memory:' ? file : path.resolve(file);
  const senses = embedder === 'none' ? undefined : createSenses(await loadWordTable(), embedder);
  // The database driver is loaded only when an index is opened.
  const { openIndex } = await import('./index-file/open-index.ts');
  const db = await openIndex(location, { edition: `${senses?.name ?? 'words only'} ${edition}`, patienceMs });
  const tables = createTables(db);
  const words = createWordSearch(db, tables);
  const matrix = createMeaningMatrix(db, tables);
  const writeBatch = createBatchWriter(db, tables);
  const source = { store, redact, senses };
  const searcher = { ...source, tables, words, matrix, newest: createNewestFirst(db) };
  const shelf = {
    session: tables.session,
    sessions: tables.sessions,
    write: (pages: Parameters<typeof writeBatch>[0]) => transact(db, () => writeBatch(pages), { patienceMs }),
    forget: (rows: Parameters<typeof forgetSessions>[2]) => forgetSessions(db, tables, rows, { patienceMs }),
    fillMeanings: () => fillMeanings(db, tables, source, { patienceMs }),
  };

  return {
    catchUp: (options = {}) => catchUp(source, shelf, options),
    search: (query, options = {}) => searchMessages(searcher, query, options),
    async forget(session: SessionId) {
      const row = tables.session(session);
      if (row) await shelf.forget([row]);
    },
    async stats() {
      const pages = db.prepare('pragma page_count').get()!.page_count as number;
      const size = db.prepare('pragma page_size').get()!.page_size as number;
      const bytes = location === ':memory:' ? pages * size : statSync(location).size;
      return { location, ...tables.totals(), bytes, ...(senses && { embedder: senses.name }) };
    },
    async [Symbol.asyncDispose]() {
      if (db.isOpen) db.close();
    },
  };
}

function same(text: string): string {
  return text;
}

/** A store in a file has its index beside it; any other has it in memory, unless told where to keep it. */
function besideStore({ facts }: Store): string {
  if (facts.backend !== 'sqlite' || facts.readOnly !== undefined) return ':memory:';
  return `${facts.location.replace(/\.db$/, '')}.index.db`;
}
