import type { DatabaseSync } from 'node:sqlite';
import { Role } from '../../record/index.ts';
import type { Tables } from '../index-file/tables.ts';
import { asksRows, holdsDoc, holdsRow, type Scope } from '../search/scope.ts';
import { bestCosine, createVectorRows, type VectorRow, type VectorRows } from './vector-rows.ts';
import { quantize } from './vectors.ts';

// Every vector of the index in memory. Comparing with all of them takes some ten milliseconds per million, so no
// structure is needed that would have to be kept up to date.

export interface MeaningMatch {
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

/** What is kept of one message. */
export interface Kept {
  readonly cosine: number;
  readonly words: Uint16Array;
}

/** Rows read at once: few calls into the database, and no more in memory twice than this. */
const AT_ONCE = 4096;
/** A scope up to this size is read from the file each time, if the whole has not been loaded anyway. */
const SMALL_SCOPE = 20_000;
const MOST_RANGES = 100;

export function createMeaningMatrix(db: DatabaseSync, tables: Tables) {
  const columns = 'doc, role, at, vectors';
  const added = db.prepare(
    `select serial, ${columns} from meanings where serial > ? and vectors is not null order by serial limit ?`,
  );
  const between = db.prepare(
    `select ${columns} from meanings where doc between ? and ? and vectors is not null limit ?`,
  );
  const byDoc = db.prepare('select vectors, words from meanings where doc = ?');
  let rows: VectorRows | undefined;
  let serial = 0;
  let generation = -1;

  /** Loads what any process has added since; everything, after something was forgotten. */
  function refresh(dimensions: number): VectorRows {
    const current = tables.generation();
    if (!rows || current !== generation || rows.dimensions !== dimensions) {
      rows = createVectorRows(dimensions);
      serial = 0;
      generation = current;
    }
    for (;;) {
      const page = added.all(serial, AT_ONCE) as unknown as (VectorRow & { serial: number })[];
      for (const row of page) rows.add(row);
      serial = page.at(-1)?.serial ?? serial;
      if (page.length < AT_ONCE) return rows;
    }
  }

  /** One session's vectors are read in a moment; a search in it need not wait for those of all others. */
  function rowsFor({ ranges }: Scope, dimensions: number): VectorRows {
    if (rows || !ranges || ranges.ranges.length > MOST_RANGES) return refresh(dimensions);
    const some = createVectorRows(dimensions);
    let left = SMALL_SCOPE;
    for (const { from, to } of ranges.ranges) {
      const page = between.all(from, to, left) as unknown as VectorRow[];
      for (const row of page) some.add(row);
      left -= page.length;
      if (left === 0) return refresh(dimensions);
    }
    return some;
  }

  return {
    /** Compares everything in scope with a query's vector; what it gives can be asked about single messages, too. */
    compare(vector: Float32Array, { scope, limit }: { scope: Scope; limit: number }) {
      const query = quantize(vector);
      const kept = new Map<number, Kept | undefined>();
      return {
        ...(query.length === 0
          ? NOTHING
          : findNearest(rowsFor(scope, query.length), query, { scope, limit })),
        kept(doc: number): Kept | undefined {
          if (!kept.has(doc)) kept.set(doc, keptOf(doc, query));
          return kept.get(doc);
        },
      };
    },
  };

  function keptOf(doc: number, query: Int8Array): Kept | undefined {
    const row = byDoc.get(doc) as { vectors: Uint8Array | null; words: Uint8Array } | undefined;
    if (!row) return undefined;
    const words = new Uint16Array(row.words.slice().buffer);
    return { cosine: row.vectors && query.length > 0 ? bestCosine(row.vectors, query) : 0, words };
  }
}

export type MeaningMatrix = ReturnType<typeof createMeaningMatrix>;
export type Comparison = ReturnType<MeaningMatrix['compare']>;

const NOTHING: Nearest = { matches: [], mean: 0, top: 0 };

function findNearest(
  rows: VectorRows,
  query: Int8Array,
  { scope, limit }: { scope: Scope; limit: number },
): Nearest {
  const best = new Map<number, number>();
  const everything = !scope.ranges && !scope.docs && scope.without.size === 0;
  const byRow = asksRows(scope);
  let [sum, inScope, top, floor] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  rows.compare(query, ({ doc, cosine, role, at }) => {
    if (!everything && !holdsDoc(scope, doc)) return;
    if (byRow && !holdsRow(scope, { role: Role.options[role]!, at })) return;
    sum += cosine;
    inScope++;
    if (cosine > top) top = cosine;
    if (cosine <= floor || cosine <= (best.get(doc) ?? Number.NEGATIVE_INFINITY)) return;
    best.set(doc, cosine);
    // Now and then the worst half goes, so that most rows are passed over by one comparison.
    if (best.size >= 4 * limit) floor = keepBest(best, 2 * limit);
  });
  const sorted = [...best].sort((a, b) => b[1] - a[1]).slice(0, limit);
  return {
    matches: sorted.map(([doc, cosine]) => ({ doc, cosine })),
    // As if there were one message more that has nothing to do with it: a single message is not its own average.
    mean: sum / (inScope + 1),
    top,
  };
}

function keepBest(best: Map<number, number>, size: number): number {
  const sorted = [...best].sort((a, b) => b[1] - a[1]);
  for (const [doc] of sorted.slice(size)) best.delete(doc);
  return sorted[size - 1]![1];
}
