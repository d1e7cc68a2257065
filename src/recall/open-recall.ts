import { statSync } from 'node:fs';
import path from 'node:path';
import type { SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { catchUp } from './catch-up.ts';
import { createSenses } from './embed-message.ts';
import { fillMeanings } from './fill-meanings.ts';
import { forgetSessions } from './forget-sessions.ts';
import { createBatchWriter } from './index-batch.ts';
import { createMeaningMatrix } from './meaning-matrix.ts';
import { createNewestFirst } from './newest-first.ts';
import type { Recall, RecallOptions } from './recall.ts';
import { searchMessages } from './search-messages.ts';
import { createWordSearch } from './search-words.ts';
import { createTables } from './tables.ts';
import { transact } from './transact.ts';
import { loadWordTable } from './word-table.ts';

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
  const { openIndex } = await import('./open-index.ts');
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
