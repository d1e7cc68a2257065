import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IndexTables } from '../index/tables.ts';
import type { Query, Term } from './parse-query.ts';
import { asksRows, holdsDoc, holdsRow, isFiltered, type Scope } from './scope.ts';
import { createTermFrequency } from './term-frequency.ts';

/** Up to this many messages everything that matches is ranked. */
const SMALL_INDEX = 50_000;
/** In a large index a term in more messages than this tells little, and ranking by it would read them all. */
const COMMON = 10_000;
/** Scoring a match takes some microseconds: terms are added, the rarest first, until there are this many to score. */
const MOST_SCORED = 4_000;
/** Terms that are not added still lift the matches that have them, unless even finding out would take too long. */
const TOO_COMMON = 100_000;
const MOST_LIFTS = 3;
/** A term in more than half of all messages tells next to nothing, and not less than that. */
const LEAST_TOLD = 1e-6;

export interface WordMatch {
  readonly doc: number;
  /** Larger is better. */
  readonly score: number;
}

interface Wanted {
  readonly scope: Scope;
  readonly limit: number;
}

/** The matches of a query's terms and literals, best first; where ranking would cost too much, newest first. */
export function createWordSearch(db: DatabaseSync, tables: IndexTables) {
  const frequency = createTermFrequency(db, tables);
  const isWide = createWidePrefix(db);
  // Not "order by rank", which scores everything it returns a second time. The plus keeps SQLite from compiling the
  // statement again for every limit it is given, which takes as long as finding a rare word.
  const scored = db.prepare(
    `select rowid as doc, -bm25(words) as score from words where words match ? and rowid between ? and ?
     order by score desc limit +?`,
  );
  // Without a score: scoring would first count every message that has each of the words.
  const having = db.prepare('select rowid as doc from words where words match ?');
  const newest = db.prepare(
    `select rowid as doc, 0 as score from words where words match ? and rowid between ? and ?
     order by rowid desc limit +?`,
  );

  /** The first of a statement's matches that pass the filters. */
  function inScope(statement: StatementSync, match: string, { scope, limit }: Wanted): WordMatch[] {
    const [from, to] = spanOf(scope);
    const rows = asksRows(scope);
    const holds = ({ doc }: WordMatch) =>
      holdsDoc(scope, doc) && (!rows || holdsRow(scope, tables.doc(doc)!));
    const first = statement.all(match, from, to, limit) as unknown as WordMatch[];
    if (!isFiltered(scope)) return first;
    const found = first.filter(holds);
    if (found.length === first.length || first.length < limit) return found;
    // Filters have taken some of the best: then all have to be looked at.
    const all = statement.iterate(match, from, to, -1) as unknown as IteratorObject<WordMatch>;
    return all.filter(holds).take(limit).toArray();
  }

  function newestFirst(match: string, wanted: Wanted): WordMatch[] {
    const found = inScope(newest, match, wanted);
    return found.map(({ doc }, index) => ({ doc, score: 1 - index / (2 * found.length) }));
  }

  /** Ranks by rare words; if nothing is, the newest messages that have everything, or anything. */
  function searchLarge(literals: readonly string[], terms: readonly Term[], wanted: Wanted): WordMatch[] {
    const known = terms.map((term) => ({ match: term.match, frequency: frequencyOf(term) }));
    const rare = rarest(known);
    if (rare.length > 0 && literals.every((match) => frequency(match) < COMMON)) {
      const base = expression(literals, rare);
      const lifts = known
        .filter(({ match, frequency }) => !rare.includes(match) && frequency < TOO_COMMON)
        .slice(0, MOST_LIFTS);
      return lifted(base, lifts, wanted);
    }
    if (literals.length > 0) return newestFirst(expression(literals, []), wanted);
    const matches = terms.map(({ match }) => match);
    const all = newestFirst(matches.map((match) => `(${match})`).join(' AND '), wanted);
    return all.length > 0 || terms.length === 1 ? all : newestFirst(expression([], matches), wanted);
  }

  /** What has a common term too is worth as much more as the term tells where it stands once in a message of usual length. */
  function lifted(
    base: string,
    lifts: readonly { match: string; frequency: number }[],
    wanted: Wanted,
  ): WordMatch[] {
    if (lifts.length === 0) return inScope(scored, base, wanted);
    const found = inScope(scored, base, { ...wanted, limit: -1 });
    const scores = new Map(found.map(({ doc, score }) => [doc, score]));
    const messages = tables.messages();
    for (const { match, frequency } of lifts) {
      const told = Math.max(LEAST_TOLD, Math.log((messages - frequency + 0.5) / (frequency + 0.5)));
      for (const { doc } of having.iterate(`(${base}) AND (${match})`) as unknown as Iterable<WordMatch>) {
        const score = scores.get(doc);
        if (score !== undefined) scores.set(doc, score + told);
      }
    }
    const all = Array.from(scores, ([doc, score]) => ({ doc, score }));
    return all.sort((a, b) => b.score - a.score || b.doc - a.doc).slice(0, wanted.limit);
  }

  /**
   * A row of words is looked for in every message that has the rarest of them, and for each of its stop words that reads a large
   * part of the index. The rarest two that stand side by side tell in a moment that it is nowhere, as most questions are.
   */
  function mayHold(match: string): boolean {
    if (tables.messages() <= SMALL_INDEX) return true;
    const words = match.slice(1, -1).split(' ');
    const counts = words.map((word) => frequency(`"${word}"`));
    if (counts.every((count) => count >= TOO_COMMON)) return false;
    const pairs = words.slice(1).map((word, at) => ({
      pair: `"${words[at]} ${word}"`,
      least: Math.min(counts[at]!, counts[at + 1]!),
      both: counts[at]! + counts[at + 1]!,
    }));
    const [rarest] = pairs.sort((a, b) => a.least - b.least || a.both - b.both);
    return rarest === undefined || words.length === 2 || having.get(rarest.pair) !== undefined;
  }

  function frequencyOf(term: Term): number {
    return isWidePrefix(term) ? TOO_COMMON : frequency(term.match);
  }

  function isWidePrefix({ kind, shown }: Term): boolean {
    return kind === 'prefix' && tables.messages() > SMALL_INDEX && isWide(shown.split(' ').at(-1)!);
  }

  return {
    frequency,
    /** The one word of the query begins like so many others that the newest messages had better be looked at. */
    isWide: ({ terms, literals }: Query) =>
      literals.length === 0 && terms.length === 1 && isWidePrefix(terms[0]!),
    /** Matches come newest first, none of them like another. */
    inOrder: (query: Query) => isOnePart(query) && tables.messages() > SMALL_INDEX,
    /** The newest messages that hold the words of a line in a row; none where finding out would read half the index. */
    holding(match: string, wanted: Wanted): WordMatch[] {
      return mayHold(match) ? inScope(newest, match, wanted) : [];
    },
    search(query: Query, wanted: Wanted): WordMatch[] {
      const literals = query.literals.flatMap(({ match }) => (match ? [match] : []));
      const { terms } = query;
      const matches = terms.map(({ match }) => match);
      if (literals.length === 0 && terms.length === 0) return [];
      if (tables.messages() <= SMALL_INDEX) return inScope(scored, expression(literals, matches), wanted);
      if (isOnePart(query)) return newestFirst(expression(literals, matches), wanted);
      return searchLarge(literals, terms, wanted);
    },
  };
}

/** The index can only be asked for one range: the span around all of them. */
function spanOf({ ranges }: Scope): [number, number] {
  if (!ranges) return [0, Number.MAX_SAFE_INTEGER];
  return [ranges.ranges[0]?.from ?? 1, ranges.ranges.at(-1)?.to ?? 0];
}

/** One name, path, prefix or phrase: all that have it are alike, and ranking would look for it three times. */
function isOnePart({ exact, literals, terms }: Query): boolean {
  return exact && literals.length + terms.length === 1;
}

export type WordSearch = ReturnType<typeof createWordSearch>;

/** As many of the terms as can be scored in good time. */
function rarest(terms: readonly { match: string; frequency: number }[]): string[] {
  let left = MOST_SCORED;
  return terms
    .filter((term) => term.frequency < COMMON)
    .sort((a, b) => a.frequency - b.frequency)
    .filter((term, index) => {
      left -= term.frequency;
      return index === 0 || left >= 0;
    })
    .map(({ match }) => match);
}

/** Every literal has to be there; terms only raise the rank, unless there is nothing else. */
function expression(literals: readonly string[], terms: readonly string[]): string {
  const required = literals.map((match) => `(${match})`).join(' AND ');
  if (terms.length === 0) return required;
  const any = [...literals, ...terms].map((match) => `(${match})`).join(' OR ');
  return literals.length === 0 ? any : `${required} AND (${any})`;
}

// The full-text index gathers everything that begins with a prefix before it gives the first match, and for a short one
// that can be most of the index. Its own table of contents tells how much that is: which page each stretch of words
// begins on, for every segment.

/** Gathering more pages than this takes too long. */
const WIDE = 200;

/** Whether so many messages hold a word that begins like this that looking at the newest ones finds it faster. */
function createWidePrefix(db: DatabaseSync): (prefix: string) => boolean {
  // Each of these is one step into the table; asking for all segments at once would go through it.
  const nextSegment = db.prepare('select min(segid) as segment from words_idx where segid > ?');
  const upTo = db.prepare(
    'select pgno from words_idx where segid = ? and term <= ? order by term desc limit 1',
  );
  const from = db.prepare('select pgno from words_idx where segid = ? and term >= ? order by term limit 1');
  const pageOf = (row: Record<string, unknown> | undefined) =>
    // The lowest bit of a page number says something else.
    row === undefined ? undefined : Math.floor((row.pgno as number) / 2);

  return (prefix) => {
    const start = Buffer.from(`0${prefix}`);
    const end = Buffer.concat([start, Buffer.of(0xff)]);
    let pages = 0;
    let segment = nextSegment.get(0)!.segment as number | null;
    while (segment !== null && pages <= WIDE) {
      const first = pageOf(upTo.get(segment, start)) ?? 0;
      const last = pageOf(from.get(segment, end)) ?? pageOf(upTo.get(segment, LAST)) ?? first;
      pages += last - first;
      segment = nextSegment.get(segment)!.segment as number | null;
    }
    return pages > WIDE;
  };
}

/** After every word. */
const LAST = Buffer.of(0xff);
