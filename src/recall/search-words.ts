import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Query } from './parse-query.ts';
import { asksRows, holdsDoc, holdsRow, type Scope } from './scope.ts';
import type { Tables } from './tables.ts';

/** Up to this many messages every match is ranked; it takes milliseconds. */
const RANK_ALL = 50_000;
/** In a larger index a term in more messages than this tells little, and ranking by it would read them all. */
export const COMMON = 20_000;

export interface WordMatch {
  readonly doc: number;
  /** Larger is better. */
  readonly score: number;
}

/** The matches of a query's terms and literals, best first; where ranking would cost too much, newest first. */
export function createWordSearch(db: DatabaseSync, tables: Tables) {
  const ranked = db.prepare(
    'select rowid as doc, rank as score from words where words match ? order by rank',
  );
  const rankedWithin = db.prepare(
    'select rowid as doc, rank as score from words where words match ? and rowid between ? and ? order by rank',
  );
  const newest = db.prepare(
    'select rowid as doc, 0 as score from words where words match ? and rowid between ? and ? order by rowid desc',
  );
  const few = db.prepare(
    'select count(*) as messages from (select 1 from words where words match ? limit ?)',
  );

  /** In how many messages a term is; above the limit, the limit. */
  function count(match: string, limit: number): number {
    return few.get(match, limit)!.messages as number;
  }

  function collect(
    statement: StatementSync,
    values: (string | number)[],
    { scope, limit }: Wanted,
  ): WordMatch[] {
    const found: WordMatch[] = [];
    const rows = asksRows(scope);
    for (const row of statement.iterate(...values)) {
      const { doc, score } = row as { doc: number; score: number };
      if (!holdsDoc(scope, doc)) continue;
      if (rows && !holdsRow(scope, tables.doc(doc)!)) continue;
      found.push({ doc, score: -score });
      if (found.length >= limit) break;
    }
    return found;
  }

  function rank(match: string, wanted: Wanted): WordMatch[] {
    const ranges = wanted.scope.ranges?.ranges;
    if (!ranges) return collect(ranked, [match], wanted);
    if (ranges.length === 0) return [];
    // One span around all ranges is as good as one range, and the index can only be asked for one.
    return collect(rankedWithin, [match, ranges[0]!.from, ranges.at(-1)!.to], wanted);
  }

  function newestFirst(match: string, wanted: Wanted): WordMatch[] {
    const ranges = wanted.scope.ranges?.ranges;
    const [from, to] = [ranges?.[0]?.from ?? 0, ranges?.at(-1)?.to ?? Number.MAX_SAFE_INTEGER];
    return collect(newest, [match, from, to], wanted).map(({ doc }, index, all) => ({
      doc,
      score: 1 - index / (2 * all.length),
    }));
  }

  return {
    count,
    search(query: Query, wanted: Wanted): WordMatch[] {
      const literals = query.literals.flatMap(({ match }) => (match ? [match] : []));
      const terms = query.terms.map(({ match }) => match);
      if (literals.length === 0 && terms.length === 0) return [];
      const large = tables.messages() > RANK_ALL;
      if (!large) return rank(expression(literals, terms), wanted);
      const isCommon = (match: string) => count(match, COMMON) >= COMMON;
      const rareLiterals = literals.filter((match) => !isCommon(match));
      const rareTerms = terms.filter((match) => !isCommon(match));
      if (rareLiterals.length === 0 && rareTerms.length === 0) {
        const all = newestFirst([...literals, ...terms].join(' AND '), wanted);
        return all.length > 0 || literals.length > 0 ? all : newestFirst(terms.join(' OR '), wanted);
      }
      if (literals.length > rareLiterals.length) {
        return newestFirst(expression(literals, rareTerms), wanted);
      }
      return rank(expression(literals, rareTerms), wanted);
    },
  };
}

export type WordSearch = ReturnType<typeof createWordSearch>;

interface Wanted {
  readonly scope: Scope;
  readonly limit: number;
}

/** Every literal has to be there; terms only raise the rank, unless there is nothing else. */
function expression(literals: readonly string[], terms: readonly string[]): string {
  const required = literals.map((match) => `(${match})`).join(' AND ');
  const any = [...literals, ...terms].map((match) => `(${match})`).join(' OR ');
  return literals.length === 0 ? any : `${required} AND (${any})`;
}
