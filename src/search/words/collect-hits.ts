import { isThroughlineError } from '../../errors.ts';
import type { Entry, Message, SessionId } from '../../record/index.ts';
import type { EntryName, Store } from '../../store/index.ts';
import { seqOf } from '../index/doc-id.ts';
import type { IndexTables, PlacedDoc } from '../index/tables.ts';
import type { Hit, Neighbour, SearchOptions } from '../recall.ts';
import { type FindPlaces, placesOf, type TextPlace } from '../text/find-places.ts';
import { foldText, isAsciiText } from '../text/fold-text.ts';
import { holdsLiteral } from '../text/literal-match.ts';
import { makeSnippet } from '../text/make-snippet.ts';
import { messageText } from '../text/message-text.ts';
import type { Query } from './parse-query.ts';
import type { Ranked } from './rank-messages.ts';
import { holdsDoc, holdsRow, type Scope } from './scope.ts';

const SNIPPET_LENGTH = 200;
/** Copies are read as well; after so many the hits so far have to do. */
const MOST_FOLDED = 200;
/** So many are read at a time where most will not hold. */
const PAGE = 100;

/** What the filters leave, best first; looked up in the index when it is asked for. */
export function* findInIndex(
  ranked: readonly Ranked[],
  tables: IndexTables,
  scope: Scope,
): Generator<Settled> {
  const most = ranked[0]?.score;
  for (const found of settleTies(ranked, tables))
    if (holdsDoc(scope, found.doc) && holdsRow(scope, found)) yield { ...found, score: found.score / most! };
}

interface Collecting {
  readonly store: Store;
  readonly redact: (text: string) => string;
  readonly query: Query;
  readonly limit: number;
  readonly options: SearchOptions;
  /** The share of the query that names people who spoke. */
  readonly named: number;
  /** They were not looked up: only those that hold the query are hits. */
  readonly verify: boolean;
  /** Gives as many as it is asked for, if there are. */
  readonly next: (most: number) => Settled[];
}

/** Reads hits from the log, best first, until there are enough: only what the log still has is a hit. */
export async function collectHits(collecting: Collecting): Promise<Hit[]> {
  const { store, limit, next, options, verify } = collecting;
  const findPlaces = placesOf(collecting.query);
  const hits: Hit[] = [];
  const copies = createNearCopies<number>();
  let folded = 0;
  for (let found = next(limit); found.length > 0; found = next(verify ? PAGE : limit - hits.length)) {
    const entries = await readEntries(
      store,
      found.map(({ session, entry }) => ({ session, entry })),
    );
    for (const [index, place] of found.entries()) {
      const hit = await toHit(place, entries[index], findPlaces, collecting);
      if (!hit) continue;
      const copyOf = options.collapse ? copies.first(hit.text, place.session, hits.length) : undefined;
      if (copyOf === undefined) hits.push(hit.hit);
      else {
        hits[copyOf] = { ...hits[copyOf]!, alike: (hits[copyOf]!.alike ?? 0) + 1 };
        folded++;
      }
      if (hits.length >= limit || folded >= MOST_FOLDED) break;
    }
    if (hits.length >= limit || folded >= MOST_FOLDED) break;
  }
  return options.neighbours ? Promise.all(hits.map((hit) => withNeighbours(hit, collecting))) : hits;
}

/** A missing or damaged entry must not keep the others from being found. */
async function readEntries(store: Store, named: readonly EntryName[]): Promise<(Entry | undefined)[]> {
  try {
    return await store.entries(named);
  } catch (error) {
    if (!isThroughlineError(error, 'entry-unreadable')) throw error;
    if (named.length === 1) return [undefined];
    return (await Promise.all(named.map((name) => readEntries(store, [name])))).flat();
  }
}

async function toHit(
  { doc, session, entry: id, role, at, score, cover = 0 }: Settled,
  entry: Entry | undefined,
  findPlaces: FindPlaces,
  { store, redact, query, options, named, verify }: Collecting,
): Promise<{ hit: Hit; text: string } | undefined> {
  if (entry?.body.kind !== 'message') return undefined;
  const text = redact(await messageText(entry.body, (hash) => store.blob(hash)));
  const { mark = ['**', '**'], snippetLength = SNIPPET_LENGTH } = options;
  const places = findPlaces(text, snippetLength);
  const isThere = places.length > 0 || query.literals.length > 0;
  if ((verify && !isThere) || !holdsLiterals(text, places, query)) return undefined;
  const snippet = makeSnippet(text, places, { length: snippetLength, mark });
  const held =
    new Set(places.map(({ part }) => part)).size / (query.terms.length + query.literals.length || 1);
  const hit = { session, entry: id, seq: seqOf(doc), role, at, snippet, score };
  return { hit: { ...hit, cover: Math.max(cover, held, named) }, text };
}

/** In plain text a quoted phrase stands where it was found; elsewhere one character may be written as several. */
function holdsLiterals(text: string, places: readonly TextPlace[], { literals }: Query): boolean {
  if (literals.length === 0) return true;
  if (isAsciiText(text)) return literals.every((_, part) => places.some((place) => place.part === part));
  const folded = foldText(text);
  return literals.every((literal) => holdsLiteral(folded, literal.folded));
}

async function withNeighbours(hit: Hit, { store, redact, options }: Collecting): Promise<Hit> {
  const { session, seq } = hit;
  return { ...hit, neighbours: await readNeighbours({ store, redact }, session, seq, options.neighbours!) };
}

async function readNeighbours(
  { store, redact }: Pick<Collecting, 'store' | 'redact'>,
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
      text: redact(await messageText(body as Message, (hash) => store.blob(hash))),
    })),
  );
}

/** A message that the index has, and its place in the logs. */
interface Settled extends Ranked, PlacedDoc {}

/**
 * Equal scores are ordered by what the log says (newest first, then by name and number), never by the numbers of the
 * index: those depend on how it was built up, and an index that was made again has to give the same answers. Looks
 * only as far as it is asked for, and passes over what the index does not have.
 */
function* settleTies(ranked: readonly Ranked[], tables: IndexTables): Generator<Settled> {
  for (let start = 0; start < ranked.length; ) {
    let end = start + 1;
    while (end < ranked.length && isTie(ranked[start]!, ranked[end]!)) end++;
    const group = ranked.slice(start, end).flatMap((found) => {
      const place = tables.place(found.doc);
      return place ? [{ ...found, ...place }] : [];
    });
    yield* group.length > 1 ? group.sort(byLog) : group;
    start = end;
  }
}

function isTie(a: Ranked, b: Ranked): boolean {
  return Math.abs(a.score - b.score) <= 1e-9 * Math.abs(a.score);
}

function byLog(a: Settled, b: Settled): number {
  return b.at - a.at || compare(a.session, b.session) || seqOf(b.doc) - seqOf(a.doc);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compared by their words alone: states of one list, edits of one file, and the same output again are near copies. */
interface NearCopies<T> {
  /** The one of the same place that this text is nearly a copy of; otherwise the text is kept for those to come. */
  first(text: string, place: string, of: T): T | undefined;
}

const MOST_WORDS = 200;
/** So many of all their words are in both. */
const LEAST_SHARED = 0.8;
/** A hit is compared with so many before it. */
const MOST_COMPARED = 50;

function createNearCopies<T>(): NearCopies<T> {
  const kept: { readonly place: string; readonly words: ReadonlySet<string>; readonly of: T }[] = [];
  return {
    first(text, place, of) {
      const words = wordsOf(text);
      const copy = kept.find((other) => other.place === place && isCopy(words, other.words));
      if (copy) return copy.of;
      kept.unshift({ place, words, of });
      kept.length = Math.min(kept.length, MOST_COMPARED);
      return undefined;
    },
  };
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(word.toLowerCase());
    if (words.size >= MOST_WORDS) break;
  }
  return words;
}

function isCopy(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [least, most] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  // Two texts without a word, such as signs, are not known to be alike.
  if (least === 0 || least / most < LEAST_SHARED) return false;
  const shared = a.intersection(b).size;
  return shared / (a.size + b.size - shared) >= LEAST_SHARED;
}
