import type { VectorBlock } from './vector-block.ts';
import { createMemory, createVectorKernel, growMemory, ROWS_AT_ONCE, strideOf } from './vector-kernel.ts';
import { lengthOf } from './vectors.ts';

/** Asked for each vector: whether its message may be found. */
export type Holds = (doc: number, role: number, at: number) => boolean;

interface Scanned {
  readonly sum: number;
  readonly count: number;
  readonly top: number;
}

// Pieces keep the room for results small and in the cache.
const PIECE = 4096;
const QUERY_AT = 0;
const OUT_AT = 65_536;
const ROWS_AT = OUT_AT + 4 * PIECE;

/** Vectors in memory, row by row, that can be compared with one vector all at once. */
export function createVectorRows(dimensions: number) {
  const stride = strideOf(dimensions);
  const memory = createMemory(ROWS_AT);
  const kernel = createVectorKernel(memory);
  const starts = new Map<number, { start: number; end: number }>();
  let count = 0;
  let docs = new Float64Array(0);
  let times = new Float64Array(0);
  let inverses = new Float32Array(0);
  let roles = new Uint8Array(0);

  function reserve(rows: number): void {
    if (rows <= docs.length) return;
    const capacity = Math.max(1024, rows, Math.ceil(docs.length * 1.5));
    growMemory(memory, ROWS_AT + (capacity + ROWS_AT_ONCE) * stride);
    docs = moved(new Float64Array(capacity), docs);
    times = moved(new Float64Array(capacity), times);
    inverses = moved(new Float32Array(capacity), inverses);
    roles = moved(new Uint8Array(capacity), roles);
  }

  function setQuery(query: Int8Array): void {
    const room = new Int8Array(memory.buffer, QUERY_AT, stride);
    room.fill(0);
    room.set(query);
  }

  return {
    dimensions,
    /** A block whose vectors have another length is of another embedder and is passed over. */
    add(number: number, block: VectorBlock): void {
      const size = block.docs.length;
      if (block.vectors.length !== size * dimensions) return;
      reserve(count + size);
      const room = new Uint8Array(memory.buffer, ROWS_AT + count * stride, size * stride);
      if (stride === dimensions) room.set(block.vectors);
      else
        for (let row = 0; row < size; row++)
          room.set(block.vectors.subarray(row * dimensions, (row + 1) * dimensions), row * stride);
      docs.set(block.docs, count);
      times.set(block.times, count);
      for (let row = 0; row < size; row++) inverses[count + row] = 1 / block.lengths[row]!;
      roles.set(block.roles, count);
      starts.set(number, { start: count, end: count + size });
      count += size;
    },
    /** Compares with every vector that is held; `near` gets those above what it returned last. */
    scan(query: Int8Array, holds: Holds | undefined, near: (doc: number, cosine: number) => number): Scanned {
      setQuery(query);
      const inverse = 1 / lengthOf(query);
      const dots = new Int32Array(memory.buffer, OUT_AT, PIECE);
      let [sum, held, top, floor] = [0, 0, 0, Number.NEGATIVE_INFINITY];
      for (let from = 0; from < count; from += PIECE) {
        const size = Math.min(PIECE, count - from);
        kernel.scan(QUERY_AT, ROWS_AT + from * stride, size, stride, OUT_AT);
        for (let index = 0, row = from; index < size; index++, row++) {
          if (holds && !holds(docs[row]!, roles[row]!, times[row]!)) continue;
          const cosine = dots[index]! * inverse * inverses[row]!;
          sum += cosine;
          held++;
          if (cosine > top) top = cosine;
          if (cosine > floor) floor = near(docs[row]!, cosine);
        }
      }
      return { sum, count: held, top };
    },
    /** The largest cosine between the query and the vectors of one message; 0 if it has none here. */
    cosineOf(number: number, doc: number, query: Int8Array): number {
      const place = starts.get(number);
      if (!place) return 0;
      let best = 0;
      for (let row = firstOf(docs, doc, place); row < place.end && docs[row] === doc; row++) {
        const vector = new Int8Array(memory.buffer, ROWS_AT + row * stride, dimensions);
        let dot = 0;
        for (let k = 0; k < dimensions; k++) dot += vector[k]! * query[k]!;
        best = Math.max(best, (dot * inverses[row]!) / lengthOf(query));
      }
      return best;
    },
  };
}

export type VectorRows = ReturnType<typeof createVectorRows>;

/** The first row of a message, by bisection: within a block they rise. */
function firstOf(docs: Float64Array, doc: number, { start, end }: { start: number; end: number }): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

function moved<A extends { set(from: A): void }>(to: A, from: A): A {
  to.set(from);
  return to;
}
