import { DatabaseSync } from 'node:sqlite';
import type { EntryId } from '../src/index.ts';
import { stretchesOf } from '../src/search/meaning/embed-message.ts';
import type { Embedder } from '../src/search/recall.ts';
import type { SaidMessage } from './agent-sessions.ts';

/** Best first. */
export type Search = (query: string, limit: number) => Promise<EntryId[]> | EntryId[];

/** What anybody has after ten lines: a full-text table over the same texts, any of the query's words, bm25. */
export function bareSearch(
  messages: readonly Pick<SaidMessage, 'entry' | 'text'>[],
  tokenizer: 'porter unicode61' | 'unicode61',
): Search {
  const db = new DatabaseSync(':memory:');
  db.exec(`create virtual table t using fts5(text, tokenize='${tokenizer}')`);
  const insert = db.prepare('insert into t (rowid, text) values (?, ?)');
  for (const [row, { text }] of messages.entries()) insert.run(row + 1, text);
  const find = db.prepare('select rowid as row from t where t match ? order by bm25(t) limit ?');
  return (query, limit) => {
    const words = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    if (words.length === 0) return [];
    const match = [...new Set(words)].map((word) => `"${word}"`).join(' OR ');
    return find.all(match, limit).map(({ row }) => messages[(row as number) - 1]!.entry);
  };
}

const DEPTH = 200;
/** The usual constant of reciprocal rank fusion. */
const RRF = 60;

/** The same beside a sentence model's order, put together by their ranks. */
export async function fusedSearch(
  messages: readonly Pick<SaidMessage, 'entry' | 'text' | 'role'>[],
  bare: Search,
  embedder: Embedder,
): Promise<Search> {
  const rows: { entry: EntryId; vector: Float32Array }[] = [];
  for (const { entry, text, role } of messages) {
    const vectors = await embedder.embed(stretchesOf(text, role));
    for (const vector of vectors) rows.push({ entry, vector: unit(vector) });
  }
  return async (query, limit) => {
    const [asked] = await embedder.embed([query]);
    const of = unit(asked!);
    const cosines = new Map<EntryId, number>();
    for (const { entry, vector } of rows)
      cosines.set(entry, Math.max(cosines.get(entry) ?? -1, dot(of, vector)));
    const near = [...cosines].sort((a, b) => b[1] - a[1]).map(([entry]) => entry);
    const scores = new Map<EntryId, number>();
    for (const order of [await bare(query, DEPTH), near.slice(0, DEPTH)])
      for (const [rank, entry] of order.entries())
        scores.set(entry, (scores.get(entry) ?? 0) + 1 / (RRF + rank + 1));
    return [...scores]
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([entry]) => entry);
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}
