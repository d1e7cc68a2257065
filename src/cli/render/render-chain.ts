import type { Chain } from '../../transcripts/index.ts';
import { sayCount } from '../terminal/say.ts';

/** What `--json` says of a chain: which sessions are in the document, and which part of each. */
export function describeChain({ links, missing }: Chain) {
  return {
    chain: links.map(({ info, relation, after, upTo, queries, later }) => ({
      id: info.id,
      relation: relation ?? null,
      from: after + 1,
      to: upTo,
      queries: queries.total - queries.before,
      later,
    })),
    ...(missing !== undefined && { missing }),
  };
}

/** What is not in the document, for people. */
export function chainNotes({ links, missing }: Chain): string[] {
  const later = links.flatMap(({ info, later: count }) =>
    count === 0 ? [] : [`${sayCount(count, 'message')} of ${info.id} came later and led elsewhere.`],
  );
  const above = missing === undefined ? [] : [`It began in ${missing}, which is not here any more.`];
  return [...above, ...later];
}
