import { createMemory, createVectorKernel, growMemory, strideOf } from './vector-kernel.ts';
import { lengthOf } from './vectors.ts';

/** A message's vectors with what filters ask for. */
export interface VectorRow {
  readonly doc: number;
  /** One int8 vector after the other. */
  readonly vectors: Uint8Array;
  readonly role: number;
  readonly at: number;
}

export interface Seen {
  readonly doc: number;
  readonly cosine: number;
  readonly role: number;
  readonly at: number;
}

// Blocks keep the room for results small and in the cache.
const BLOCK = 4096;
const QUERY_AT = 0;
const OUT_AT = 65_536;
const ROWS_AT = OUT_AT + 4 * BLOCK;

/** Vectors in memory, row by row, that can be compared with one vector all at once. */
export function createVectorRows(dimensions: number) {
  const stride = strideOf(dimensions);
  const memory = createMemory(ROWS_AT);
  const kernel = createVectorKernel(memory);
  let count = 0;
  let docs = new Float64Array(0);
  let times = new Float64Array(0);
  let inverseLengths = new Float32Array(0);
  let roles = new Uint8Array(0);

  function grow(): void {
    const capacity = Math.max(1024, docs.length * 2);
    growMemory(memory, ROWS_AT + capacity * stride);
    docs = moved(new Float64Array(capacity), docs);
    times = moved(new Float64Array(capacity), times);
    inverseLengths = moved(new Float32Array(capacity), inverseLengths);
    roles = moved(new Uint8Array(capacity), roles);
  }

  return {
    dimensions,
    add({ doc, vectors, role, at }: VectorRow): void {
      const signed = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
      for (let start = 0; start + dimensions <= signed.length; start += dimensions) {
        if (count === docs.length) grow();
        const row = signed.subarray(start, start + dimensions);
        new Int8Array(memory.buffer, ROWS_AT + count * stride, stride).set(row);
        docs[count] = doc;
        times[count] = at;
        inverseLengths[count] = 1 / lengthOf(row);
        roles[count] = role;
        count++;
      }
    },
    /** Every row with its cosine. `seen` is one object that changes from call to call. */
    compare(query: Int8Array, visit: (seen: Seen) => void): void {
      const room = new Int8Array(memory.buffer, QUERY_AT, stride);
      room.fill(0);
      room.set(query);
      const inverse = 1 / lengthOf(query);
      const seen = { doc: 0, cosine: 0, role: 0, at: 0 };
      const dots = new Int32Array(memory.buffer, OUT_AT, BLOCK);
      for (let start = 0; start < count; start += BLOCK) {
        const size = Math.min(BLOCK, count - start);
        kernel.scan(QUERY_AT, ROWS_AT + start * stride, size, stride, OUT_AT);
        for (let index = 0, row = start; index < size; index++, row++) {
          seen.doc = docs[row]!;
          seen.cosine = dots[index]! * inverse * inverseLengths[row]!;
          seen.role = roles[row]!;
          seen.at = times[row]!;
          visit(seen);
        }
      }
    },
  };
}

export type VectorRows = ReturnType<typeof createVectorRows>;

/** The largest cosine between the query and one of the vectors. */
export function bestCosine(vectors: Uint8Array, query: Int8Array): number {
  const signed = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  let best = Number.NEGATIVE_INFINITY;
  for (let start = 0; start + query.length <= signed.length; start += query.length) {
    const row = signed.subarray(start, start + query.length);
    let dot = 0;
    for (let k = 0; k < query.length; k++) dot += row[k]! * query[k]!;
    best = Math.max(best, dot / lengthOf(row) / lengthOf(query));
  }
  return best === Number.NEGATIVE_INFINITY ? 0 : best;
}

function moved<A extends { set(from: A): void }>(to: A, from: A): A {
  to.set(from);
  return to;
}
