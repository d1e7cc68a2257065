import type { DatabaseSync } from 'node:sqlite';
import { docId } from '../index-file/doc-id.ts';
import type { DocRange } from '../index-file/doc-ranges.ts';
import type { Tables } from '../index-file/tables.ts';

// How common a term is decides whether ranking by it is worth its cost, and counting would cost as much as ranking. In a
// large index the count is therefore taken from a few stretches of messages, spread over all of them.

/** Up to this many messages, terms are counted exactly. */
export const SMALL_INDEX = 50_000;
const STRETCHES = 8;
const SAMPLED = 5_000;
/** Fewer in the sample say too little; but then there are few enough to count. */
const ENOUGH = 20;
const MOST_REMEMBERED = 1000;

/** In how many messages a term is: exactly if they are few, otherwise as a good guess. */
export function createTermFrequency(db: DatabaseSync, tables: Tables) {
  const all = db.prepare('select count(*) as messages from words where words match ?');
  const within = db.prepare(
    'select count(*) as messages from words where words match ? and rowid between ? and ?',
  );
  let stretches: readonly DocRange[] = [];
  let known = new Map<string, number>();
  let messages = -1;

  function refresh(): void {
    const current = tables.messages();
    if (current === messages && known.size < MOST_REMEMBERED) return;
    messages = current;
    known = new Map();
    stretches = current > SMALL_INDEX ? spreadStretches(tables, current) : [];
  }

  function estimate(match: string): number {
    if (stretches.length === 0) return all.get(match)!.messages as number;
    let found = 0;
    for (const { from, to } of stretches) found += within.get(match, from, to)!.messages as number;
    return found < ENOUGH ? (all.get(match)!.messages as number) : found * (messages / SAMPLED);
  }

  return (match: string): number => {
    refresh();
    let frequency = known.get(match);
    if (frequency === undefined) {
      frequency = estimate(match);
      known.set(match, frequency);
    }
    return frequency;
  };
}

export type TermFrequency = ReturnType<typeof createTermFrequency>;

/** Stretches of messages at even distances, as ranges of their numbers. */
function spreadStretches(tables: Tables, messages: number): DocRange[] {
  const sessions = tables.sizes();
  const size = SAMPLED / STRETCHES;
  let passed = 0;
  let index = 0;
  /** The number of about the n-th message; asked with rising n. */
  function docAt(n: number): number {
    while (index < sessions.length - 1 && passed + sessions[index]!.messages <= n)
      passed += sessions[index++]!.messages;
    const { key, messages: own, watermark } = sessions[index]!;
    const into = own === 0 ? 0 : Math.min(1, (n - passed) / own);
    return docId(key, Math.max(0, Math.floor(watermark - own * (1 - into))));
  }
  return Array.from({ length: STRETCHES }, (_, stretch) => {
    const start = Math.floor((messages - size) * (stretch / (STRETCHES - 1)));
    return { from: docAt(start) + 1, to: docAt(start + size) };
  });
}
