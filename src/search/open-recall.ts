import { statSync } from 'node:fs';
import path from 'node:path';
import type { SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { catchUp } from './catch-up.ts';
import { indexFileOf } from './index/index-file-of.ts';
import { keepOpen } from './index/keep-open.ts';
import { createSenses } from './meaning/embed-message.ts';
import { loadWordTable } from './meaning/word-table.ts';
import type { Recall, RecallOptions } from './recall.ts';
import { searchMessages } from './words/search-messages.ts';

/** Opens the search index of a store, making it if it is not there. Call `catchUp` before the first search. */
export async function openRecall(
  store: Store,
  { file, redact = same, edition = '', embedder, onEmbedderFailure, patienceMs = 30_000 }: RecallOptions = {},
): Promise<Recall> {
  const senses =
    embedder === 'none'
      ? undefined
      : createSenses(await loadWordTable(), { embedder, onFailure: onEmbedderFailure });
  const named = file ?? indexFileOf(store, embedder === 'none' ? 'words' : embedder?.name);
  const location = named === ':memory:' ? named : path.resolve(named);
  const source = { store, redact, senses };
  const rules = {
    edition: `${senses?.name ?? 'words only'} ${edition}`,
    patienceMs,
    ours: file === undefined,
  };
  // The database driver is loaded only when an index is opened.
  const { openLibrary } = await import('./open-library.ts');
  let opened = 0;
  const index = await keepOpen(location, async () =>
    openLibrary(location, source, { ...rules, behind: opened++ > 0 }),
  );

  return {
    catchUp: (options = {}) =>
      index.use(async (library) => {
        const report = await catchUp(source, library.shelf, options);
        if (!options.sessions) library.behind = false;
        return report;
      }),
    search: (query, options = {}) =>
      index.use(async (library) => {
        // One that took the place of a damaged or deleted one has to be filled before it can answer.
        if (library.behind) await catchUp(source, library.shelf, {});
        library.behind = false;
        return searchMessages(library.searcher, query, options);
      }),
    forget: (session: SessionId) =>
      index.use(async ({ shelf }) => {
        const row = shelf.session(session);
        if (row) await shelf.forget([row]);
      }),
    stats: () =>
      index.use(async ({ db, tables }) => {
        const pages = db.prepare('pragma page_count').get()!.page_count as number;
        const size = db.prepare('pragma page_size').get()!.page_size as number;
        const bytes = location === ':memory:' ? pages * size : statSync(location).size;
        return { location, ...tables.totals(), bytes, ...(senses && { embedder: senses.name }) };
      }),
    [Symbol.asyncDispose]: () => index.close(),
  };
}

function same(text: string): string {
  return text;
}
