import { seqOf } from '../index-file/doc-id.ts';
import type { PlacedDoc, Tables } from '../index-file/tables.ts';
import type { Ranked } from './rank-messages.ts';

/** A message that the index has, and its place in the logs. */
export interface Settled extends Ranked, PlacedDoc {}

/**
 * Equal scores are ordered by what the log says (newest first, then by name and number), never by the numbers of the
 * index: those depend on how it was built up, and an index that was made again has to give the same answers. Looks
 * only as far as it is asked for, and passes over what the index does not have.
 */
export function* settleTies(ranked: readonly Ranked[], tables: Tables): Generator<Settled> {
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
