import type { DatabaseSync } from 'node:sqlite';
import { Role } from '../../record/index.ts';
import type { BlocksTable, StoredBlock } from '../index/blocks-table.ts';
import type { IndexTables } from '../index/tables.ts';
import { asksRows, holdsDoc, holdsRow, type Scope } from '../words/scope.ts';
import { createVectorRows, type Holds, type VectorRows } from './vector-rows.ts';
import { quantize } from './vectors.ts';

// Every vector of the index in memory. Comparing with all of them takes some ten milliseconds per million, so no
// structure is needed that would have to be kept up to date.

interface MeaningMatch {
  readonly doc: number;
  readonly cosine: number;
}

export interface Nearest {
  /** Best first. */
  readonly matches: readonly MeaningMatch[];
  /** Over everything in scope: what "nothing to do with it" looks like for this query. */
  readonly mean: number;
  readonly top: number;
}

/** What the index keeps of the meaning of one message. */
interface Kept {
  readonly block: number | null;
  readonly words: Uint16Array;
}

/** Blocks read at once: few calls into the database, and no more in memory twice than this. */
const AT_ONCE = 64;
/** A scope in up to this many blocks is read from the file each time, if the whole has not been loaded anyway. */
const FEW_BLOCKS = 24;
const MOST_RANGES = 100;

export function createMeaningMatrix(db: DatabaseSync, tables: IndexTables, blocks: BlocksTable) {
  // All at once: asking for a thousand messages one by one takes three times as long.
  const byDocs = db.prepare(
    'select doc, block, words from meanings where doc in (select value from json_each(?))',
    { returnArrays: true },
  );
  let rows: VectorRows | undefined;
  let newest = 0;
  let generation = -1;

  /** Loads what any process has added since; everything, after something was forgotten or put together. */
  function refresh(dimensions: number): VectorRows {
    const current = tables.generation();
    if (!rows || current !== generation || rows.dimensions !== dimensions) {
      rows = createVectorRows(dimensions);
      newest = 0;
      generation = current;
    }
    for (;;) {
      const page = blocks.after(newest, AT_ONCE);
      for (const block of page) rows.add(block.block, block);
      newest = page.at(-1)?.block ?? newest;
      if (page.length < AT_ONCE) return rows;
    }
  }

  /** One session's vectors are read in a moment; a search in it need not wait for those of all others. */
  function rowsFor({ ranges }: Scope, dimensions: number): VectorRows {
    if (rows || !ranges || ranges.ranges.length > MOST_RANGES) return refresh(dimensions);
    const few = new Map<number, StoredBlock>();
    for (const { from, to } of ranges.ranges) {
      for (const block of blocks.overlapping(from, to, FEW_BLOCKS + 1)) few.set(block.block, block);
      if (few.size > FEW_BLOCKS) return refresh(dimensions);
    }
    const some = createVectorRows(dimensions);
    for (const [number, block] of few) some.add(number, block);
    return some;
  }

  return {
    /** Compares everything in scope with a query's vector; what it gives can be asked about single messages, too. */
    compare(vector: Float32Array, { scope, limit }: { scope: Scope; limit: number }) {
      const query = quantize(vector);
      const kept = new Map<number, Kept | undefined>();
      const here = query.length === 0 ? undefined : rowsFor(scope, query.length);
      return {
        ...(here ? findNearest(here, query, { scope, limit }) : NOTHING),
        /** Reads what the index has of these messages, for the questions below. */
        read(docs: Iterable<number>): void {
          const missing = [...new Set(docs)].filter((doc) => !kept.has(doc));
          for (const doc of missing) kept.set(doc, undefined);
          for (const row of byDocs.all(JSON.stringify(missing))) {
            const [doc, block, words] = row as unknown as [number, number | null, Uint8Array];
            kept.set(doc, { block, words: new Uint16Array(words.slice().buffer) });
          }
        },
        cosineOf(doc: number): number {
          const block = kept.get(doc)?.block;
          return (block && here?.cosineOf(block, doc, query)) || 0;
        },
        wordsOf: (doc: number): Uint16Array | undefined => kept.get(doc)?.words,
      };
    },
  };
}

export type MeaningMatrix = ReturnType<typeof createMeaningMatrix>;
export type VectorComparison = ReturnType<MeaningMatrix['compare']>;

const NOTHING: Nearest = { matches: [], mean: 0, top: 0 };

function findNearest(
  rows: VectorRows,
  query: Int8Array,
  { scope, limit }: { scope: Scope; limit: number },
): Nearest {
  const best = new Map<number, number>();
  let floor = Number.NEGATIVE_INFINITY;
  const { sum, count, top } = rows.scan(query, holdsOf(scope), (doc, cosine) => {
    if (cosine <= (best.get(doc) ?? Number.NEGATIVE_INFINITY)) return floor;
    best.set(doc, cosine);
    // Now and then the worst half goes, so that most rows are passed over by one comparison.
    if (best.size >= 4 * limit) floor = keepBest(best, 2 * limit);
    return floor;
  });
  const sorted = [...best].sort((a, b) => b[1] - a[1]).slice(0, limit);
  return {
    matches: sorted.map(([doc, cosine]) => ({ doc, cosine })),
    // As if there were one message more that has nothing to do with it: a single message is not its own average.
    mean: sum / (count + 1),
    top,
  };
}

function holdsOf(scope: Scope): Holds | undefined {
  const byRow = asksRows(scope);
  if (!byRow && !scope.ranges && !scope.docs && scope.without.size === 0) return undefined;
  return (doc, role, at) =>
    holdsDoc(scope, doc) && (!byRow || holdsRow(scope, { role: Role.options[role]!, at }));
}

function keepBest(best: Map<number, number>, size: number): number {
  const sorted = [...best].sort((a, b) => b[1] - a[1]);
  for (const [doc] of sorted.slice(size)) best.delete(doc);
  return sorted[size - 1]![1];
}
