import type { EntryId } from '../src/index.ts';
import type { Search } from './bare-search.ts';

export interface Asked {
  readonly query: string;
  /** Any of them is right. */
  readonly right: ReadonlySet<EntryId>;
}

/** How many of the queries have a right message first, among the first five, ten and twenty; and the mean of 1 ÷ its place. */
export interface Found {
  readonly of: number;
  readonly first: number;
  readonly in5: number;
  readonly in10: number;
  readonly in20: number;
  readonly mrr: number;
  /** Queries without a right message among the first. */
  readonly missed: readonly string[];
}

const DEPTH = 20;

export async function countFound(asked: readonly Asked[], search: Search): Promise<Found> {
  const places: number[] = [];
  for (const { query, right } of asked) {
    const place = (await search(query, DEPTH)).findIndex((entry) => right.has(entry));
    places.push(place < 0 ? Number.POSITIVE_INFINITY : place);
  }
  const within = (cut: number) => places.filter((place) => place < cut).length;
  return {
    of: asked.length,
    first: within(1),
    in5: within(5),
    in10: within(10),
    in20: within(20),
    mrr: places.reduce((sum, place) => sum + 1 / (place + 1), 0) / asked.length,
    missed: asked.flatMap(({ query }, index) => (places[index]! >= 1 ? [query] : [])),
  };
}

export function sayFound({ of, first, in5, in10, in20, mrr }: Found): string {
  return `first ${first}, in five ${in5}, in ten ${in10}, in twenty ${in20} of ${of}; MRR ${mrr.toFixed(3)}`;
}
