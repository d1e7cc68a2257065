import type { DatabaseSync } from 'node:sqlite';

// The full-text index gathers everything that begins with a prefix before it gives the first match, and for a short one
// that can be most of the index. Its own table of contents tells how much that is: which page each stretch of words
// begins on, for every segment.

/** Gathering more pages than this takes too long. */
const WIDE = 200;

/** Whether so many messages hold a word that begins like this that looking at the newest ones finds it faster. */
export function createWidePrefix(db: DatabaseSync): (prefix: string) => boolean {
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
