import { keyOf, seqOf } from '../index-file/doc-id.ts';
import type { Tables } from '../index-file/tables.ts';
import type { Ranked } from './rank-messages.ts';

/**
 * Equal scores are ordered by what the log says (newest first, then by name and number), never by the numbers of the
 * index: those depend on how it was built up, and an index that was made again has to give the same answers. Looks
 * only as far as it is asked for.
 */
export function* settleTies(ranked: readonly Ranked[], tables: Tables): Generator<Ranked> {
  for (let start = 0; start < ranked.length; ) {
    let end = start + 1;
    while (end < ranked.length && isTie(ranked[start]!, ranked[end]!)) end++;
    if (end === start + 1) yield ranked[start]!;
    else yield* byLog(ranked.slice(start, end), tables);
    start = end;
  }
}

function isTie(a: Ranked, b: Ranked): boolean {
  return Math.abs(a.score - b.score) <= 1e-9 * Math.abs(a.score);
}

function byLog(group: readonly Ranked[], tables: Tables): Ranked[] {
  const known = group.flatMap((ranked) => {
    const row = tables.doc(ranked.doc);
    const session = row && tables.sessionByKey(keyOf(ranked.doc));
    return session ? [{ ranked, at: row.at, session: session.id, seq: seqOf(ranked.doc) }] : [];
  });
  known.sort((a, b) => b.at - a.at || compare(a.session, b.session) || b.seq - a.seq);
  return known.map(({ ranked }) => ranked);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
