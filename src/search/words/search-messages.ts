import type { Store } from '../../store/index.ts';
import type { IndexTables } from '../index/tables.ts';
import type { Senses } from '../meaning/embed-message.ts';
import type { MeaningMatrix } from '../meaning/meaning-matrix.ts';
import type { Hit, SearchOptions } from '../recall.ts';
import { collectHits, findInIndex } from './collect-hits.ts';
import { parseQuery, type Query } from './parse-query.ts';
import { type Asked, readHints } from './priors.ts';
import { type Ranked, rankMessages } from './rank-messages.ts';
import { resolveFilters } from './resolve-filters.ts';
import type { Scope } from './scope.ts';
import type { WordSearch } from './search-words.ts';

export interface Searcher {
  readonly store: Store;
  readonly redact: (text: string) => string;
  readonly tables: IndexTables;
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
/** How many are read for signs, which are not in the index at all. */
const MOST_READ = 2000;

/**
 * Where no message holds the quoted phrase, the same without the quotes: a name may be spelled otherwise, and a word stand in
 * another form. Such hits are marked.
 */
export async function searchMessages(
  searcher: Searcher,
  text: string,
  options: SearchOptions,
): Promise<Hit[]> {
  const hits = await searchFor(searcher, text, options);
  const bare = text.replace(/["“”]/g, ' ');
  if (hits.length > 0 || bare === text || parseQuery(bare).terms.length === 0) return hits;
  return (await searchFor(searcher, bare, options)).map((hit) => ({ ...hit, loose: true as const }));
}

async function searchFor(searcher: Searcher, text: string, options: SearchOptions): Promise<Hit[]> {
  const { store, redact, tables, newest, words } = searcher;
  const query = parseQuery(text);
  const scope = await resolveFilters(store, tables, options);
  const limit = options.limit ?? LIMIT;
  const hints = readHints(query, { tables, words, now: options.now });

  /** Ranks, and reads from the index what will be needed of it if all of that turns out to hold, at one moment. */
  async function collect(rank: () => readonly Ranked[], verify = false) {
    const { ranked, found, first } = tables.atOneMoment(() => {
      const ranked = rank();
      const found = findInIndex(ranked, tables, scope);
      return { ranked, found, first: take(found, limit) };
    });
    let ready = first;
    const next = (most: number) => {
      const some = ready;
      ready = [];
      return some.length > 0 ? some : tables.atOneMoment(() => take(found, most));
    };
    const hits = await collectHits({
      ...{ store, redact, query, limit, options, verify, next },
      named: hints.named,
    });
    return { hits, ranked: ranked.length };
  }

  if (text.trim() === '') return (await collect(() => newest(scope, limit))).hits;
  if (isUnindexed(query)) return (await collect(() => newest(scope, MOST_READ), true)).hits;
  if (tables.atOneMoment(() => words.isWide(query))) {
    const { hits } = await collect(() => newest(scope, MOST_LOOKED_AT), true);
    if (hits.length >= limit) return hits;
  }
  const rank = await createRank(searcher, query, { scope, hints, ...options });
  // Where matches are not weighed against each other, a few more than asked for will do, unless many of them do not hold.
  const direct = query.exact || (query.single && options.by === 'words');
  const start = words.inOrder(query) ? limit : direct ? 2 * limit : Math.max(REACH, 3 * limit);
  for (let reach = start; ; reach *= 8) {
    const { hits, ranked } = await collect(() => rank(reach));
    if (hits.length >= limit || ranked < reach || !direct) return hits;
  }
}

/** So many messages of a day or month that a query names are looked at, newest first. */
const MOST_THEN = 300;

/** Nothing of it has a letter or digit that could be looked up. */
function isUnindexed({ terms, literals }: Query): boolean {
  return terms.length === 0 && literals.length > 0 && literals.every(({ match }) => match === '');
}

function within(scope: Scope, { since, until }: { since: number; until: number }): Scope {
  return { ...scope, since: Math.max(scope.since, since), until: Math.min(scope.until, until) };
}

function take<T>(from: Generator<T>, most: number): T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const { value, done } = from.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Asks a provider what the query means, if that is asked for, so that ranking itself need not wait for anything. */
async function createRank(
  { tables, words, matrix, senses, newest }: Searcher,
  typed: Query,
  { scope, hints: { query, prior, range }, by = 'both' }: SearchOptions & { scope: Scope; hints: Asked },
): Promise<(reach: number) => Ranked[]> {
  const vector =
    by === 'words' || query.exact || !senses || !understands(query, senses)
      ? undefined
      : await senses.embedQuery(query.text);
  const sense = vector && senses ? { senses, vector } : undefined;
  const byWords = by !== 'meaning' || !sense;
  return (reach) => {
    const then = range ? newest(within(scope, range), MOST_THEN).map(({ doc }) => doc) : [];
    const ranking = {
      scope,
      words,
      matrix,
      sense,
      prior,
      then,
      byWords,
      kindsOf: tables.kindsOf,
      messages: tables.messages,
      reach,
    };
    const ranked = rankMessages({ ...ranking, query });
    if (ranked.length > 0 || typed.literals.length > 0) return ranked;
    // A path or a name that is nowhere as a whole may be there in parts.
    const parts = parseQuery(typed.text.replace(/[^\p{L}\p{N}\p{M}\s]+/gu, ' '));
    return rankMessages({ ...ranking, query: { ...parts, exact: true } });
  };
}

const KNOWN_SHARE = 0.6;
/** Words that make a question English, and are none in the languages that share its letters. */
const ENGLISH =
  /\b(?:what|which|who|whom|whose|where|when|why|how|does|did|do|is|are|were|has|have|had|the|this|that|of|to|for|from|with|about|and|my|we|you|she|they)\b/gi;

/**
 * Whether the word table knows what a query is about. It knows English; in another language it would compare spellings,
 * and words alone are better than that. A question in English stays one around a name that no table has.
 */
function understands({ terms, words, text }: Query, { table, name }: Senses): boolean {
  if (name !== table.name) return true;
  if (words.length === 0 || terms.some(({ kind }) => kind === 'pair')) return false;
  const known = words.filter((word) => table.read(word).known > 0).length;
  const english = text.match(ENGLISH)?.length ?? 0;
  return known + english >= KNOWN_SHARE * (words.length + english);
}
