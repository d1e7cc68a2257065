import type { DatabaseSync } from 'node:sqlite';
import { keyOf, seqOf } from '../index/doc-id.ts';
import type { IndexTables } from '../index/tables.ts';

// How common a term is decides whether ranking by it is worth its cost, and counting all of a common one would cost as
// much as ranking. So counting stops early, and how far it got by then tells how many there are.

const COUNTED = 4_000;
/** Finding out that words stand in a row takes longer. */
const PHRASES_COUNTED = 300;
const MOST_REMEMBERED = 1000;
/** A count holds until the index has grown by this share. */
const GROWTH = 0.01;

/** In how many messages a term is: exactly if they are few, otherwise as a good guess. */
export function createTermFrequency(db: DatabaseSync, tables: IndexTables) {
  const first = db.prepare(
    `select count(*) as found, max(doc) as last from (
       select rowid as doc from words where words match ? order by rowid limit +?)`,
  );
  let known = new Map<string, number>();
  let shares: ReadonlyMap<number, { before: number; own: number; watermark: number }> = new Map();
  let messages = -1;

  function refresh(): void {
    const current = tables.messages();
    if (Math.abs(current - messages) <= GROWTH * messages && known.size < MOST_REMEMBERED) return;
    messages = current;
    known = new Map();
    let before = 0;
    shares = new Map(
      tables.sizes().map(({ key, messages: own, watermark }) => {
        const share = { before, own, watermark };
        before += own;
        return [key, share];
      }),
    );
  }

  /** How many messages there are up to this one, about. */
  function messagesUpTo(doc: number): number {
    const share = shares.get(keyOf(doc));
    if (!share) return messages;
    const into = 1 - (share.watermark - seqOf(doc)) / Math.max(1, share.own);
    return share.before + share.own * Math.min(1, Math.max(0, into));
  }

  function count(match: string): number {
    const most = match.includes(' ') ? PHRASES_COUNTED : COUNTED;
    const { found, last } = first.get(match, most) as { found: number; last: number | null };
    if (found < most || last === null) return found;
    return Math.round((found * messages) / Math.max(found, messagesUpTo(last)));
  }

  return (match: string): number => {
    refresh();
    let frequency = known.get(match);
    if (frequency === undefined) {
      frequency = count(match);
      known.set(match, frequency);
    }
    return frequency;
  };
}
