import { isThroughlineError } from '../../errors.ts';
import type { Entry, Message, SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { keyOf, seqOf } from '../index-file/doc-id.ts';
import type { Tables } from '../index-file/tables.ts';
import type { Senses } from '../meaning/embed-message.ts';
import type { MeaningMatrix } from '../meaning/meaning-matrix.ts';
import { understands } from '../meaning/understands.ts';
import type { Hit, Neighbour, SearchOptions } from '../recall.ts';
import { placesOf } from '../text/find-places.ts';
import { foldText } from '../text/fold-text.ts';
import { holdsLiteral } from '../text/literal-match.ts';
import { makeSnippet } from '../text/make-snippet.ts';
import { messageText } from '../text/message-text.ts';
import { parseQuery, type Query } from './parse-query.ts';
import { readHints } from './priors.ts';
import { type Ranked, rankMessages } from './rank-messages.ts';
import { resolveFilters } from './resolve-filters.ts';
import { holdsDoc, holdsRow, type Scope } from './scope.ts';
import type { WordSearch } from './search-words.ts';
import { settleTies } from './settle-ties.ts';

export interface Searcher {
  readonly store: Store;
  readonly redact: (text: string) => string;
  readonly tables: Tables;
  readonly words: WordSearch;
  readonly matrix: MeaningMatrix;
  readonly senses: Senses | undefined;
  /** The newest messages in scope, by number. */
  readonly newest: (scope: Scope, limit: number) => Ranked[];
}

const LIMIT = 20;
/** How many matches by words are weighed against each other. */
const REACH = 600;
/** How many of the newest messages are read for a prefix that is everywhere. */
const MOST_LOOKED_AT = 400;
const SNIPPET_LENGTH = 200;

export async function searchMessages(
  searcher: Searcher,
  text: string,
  options: SearchOptions,
): Promise<Hit[]> {
  const { store, tables, newest, words } = searcher;
  const query = parseQuery(text);
  const scope = await resolveFilters(store, tables, options);
  const limit = options.limit ?? LIMIT;
  const collect = (ranked: readonly Ranked[], verify = false) =>
    collectHits(searcher, settleTies(ranked, tables), { query, scope, limit, options, verify });
  if (text.trim() === '') return collect(newest(scope, limit));
  if (words.isWide(query)) {
    const hits = await collect(newest(scope, MOST_LOOKED_AT), true);
    if (hits.length >= limit) return hits;
  }
  // Where matches are not weighed against each other, a few more than asked for will do, unless many of them do not hold.
  const direct = query.exact || (query.single && options.by === 'words');
  for (let reach = direct ? 2 * limit : Math.max(REACH, 3 * limit); ; reach *= 8) {
    const ranked = await rank(searcher, query, { scope, reach, ...options });
    const hits = await collect(ranked);
    if (hits.length >= limit || ranked.length < reach || !direct) return hits;
  }
}

async function rank(
  { tables, words, matrix, senses }: Searcher,
  typed: Query,
  { scope, reach, by = 'both' }: SearchOptions & { scope: Scope; reach: number },
): Promise<Ranked[]> {
  const { query, prior } = readHints(typed, tables);
  const vector =
    by === 'words' || query.exact || !senses || !understands(query, senses)
      ? undefined
      : await senses.embedQuery(query.text);
  const sense = vector && senses ? { senses, vector } : undefined;
  const ranking = {
    query,
    scope,
    words,
    matrix,
    sense,
    prior,
    byWords: by !== 'meaning' || !sense,
    messages: tables.messages(),
    reach,
  };
  const ranked = rankMessages(ranking);
  if (ranked.length > 0 || typed.literals.length > 0) return ranked;
  // A path or a name that is nowhere as a whole may be there in parts.
  const parts = parseQuery(typed.text.replace(/[^\p{L}\p{N}\p{M}\s]+/gu, ' '));
  return rankMessages({ ...ranking, query: { ...parts, exact: true } });
}

interface Collecting {
  readonly query: Query;
  readonly scope: Scope;
  readonly limit: number;
  readonly options: SearchOptions;
  /** They were not looked up: only those that hold the query are hits. */
  readonly verify: boolean;
}

/** Reads what was found from the log, best first, until there are enough: only what the log still has is a hit. */
async function collectHits(
  { store, redact, tables }: Searcher,
  ranked: Iterable<Ranked>,
  { query, scope, limit, options, verify }: Collecting,
): Promise<Hit[]> {
  const { mark = ['**', '**'], snippetLength = SNIPPET_LENGTH, neighbours = 0 } = options;
  const hits: Hit[] = [];
  const findPlaces = placesOf(query);
  let most = 0;
  for (const { doc, score } of ranked) {
    if (hits.length >= limit) break;
    most = Math.max(most, score);
    const row = holdsDoc(scope, doc) ? tables.doc(doc) : undefined;
    if (!row || !holdsRow(scope, row)) continue;
    const session = tables.sessionByKey(keyOf(doc))!.id;
    const entry = await readEntry(store, session, row.entry);
    if (entry?.body.kind !== 'message') continue;
    const text = redact((await messageText(entry.body, (hash) => store.blob(hash))).text);
    if (verify && findPlaces(text).length === 0) continue;
    if (query.literals.length > 0) {
      const folded = foldText(text);
      if (!query.literals.every((literal) => holdsLiteral(folded, literal.folded))) continue;
    }
    hits.push({
      session,
      entry: row.entry,
      seq: seqOf(doc),
      role: row.role,
      at: row.at,
      snippet: makeSnippet(text, findPlaces, { length: snippetLength, mark }),
      score: score / most,
      ...(neighbours > 0 && {
        neighbours: await readNeighbours({ store, redact }, session, seqOf(doc), neighbours),
      }),
    });
  }
  return hits;
}

async function readEntry(store: Store, session: SessionId, id: string): Promise<Entry | undefined> {
  try {
    return await store.entry(session, id);
  } catch (error) {
    if (isThroughlineError(error, 'session-not-found') || isThroughlineError(error, 'entry-unreadable'))
      return undefined;
    throw error;
  }
}

async function readNeighbours(
  { store, redact }: Pick<Searcher, 'store' | 'redact'>,
  session: SessionId,
  seq: number,
  limit: number,
): Promise<Neighbour[]> {
  const only = 'messages';
  const before = await store.read(session, { upTo: seq - 1, limit, only, order: 'newest-first' });
  const after = await store.read(session, { after: seq, limit, only });
  return Promise.all(
    [...before.reverse(), ...after].map(async ({ id, seq, at, body }) => ({
      entry: id,
      seq,
      at,
      role: (body as Message).role,
      text: redact((await messageText(body as Message, (hash) => store.blob(hash))).text),
    })),
  );
}
