import { lengthOf } from './vectors.ts';

/** Vectors of many messages, column by column: loading a million is copying some hundred pieces of memory. */
export interface VectorBlock {
  /** For each vector the number of its message, rising; a long message has several. */
  readonly docs: Float64Array;
  readonly times: Float64Array;
  readonly roles: Uint8Array;
  readonly lengths: Float32Array;
  /** One int8 vector after the other, all of one length. */
  readonly vectors: Uint8Array;
}

/** What a block is made of: a message with its vectors, one after the other. */
export interface Vectored {
  readonly doc: number;
  readonly at: number;
  readonly role: number;
  readonly vectors: Uint8Array;
}

/** Messages in rising order; at least one has a vector. */
export function packBlock(messages: readonly Vectored[], dimensions: number): VectorBlock {
  const count = messages.reduce((sum, { vectors }) => sum + vectors.length / dimensions, 0);
  const block = {
    docs: new Float64Array(count),
    times: new Float64Array(count),
    roles: new Uint8Array(count),
    lengths: new Float32Array(count),
    vectors: new Uint8Array(count * dimensions),
  };
  let row = 0;
  for (const { doc, at, role, vectors } of messages) {
    block.vectors.set(vectors, row * dimensions);
    for (let start = 0; start < vectors.length; start += dimensions, row++) {
      block.docs[row] = doc;
      block.times[row] = at;
      block.roles[row] = role;
      const { buffer, byteOffset } = vectors;
      block.lengths[row] = lengthOf(new Int8Array(buffer, byteOffset + start, dimensions));
    }
  }
  return block;
}

/** Only the vectors that `keep` says, or all blocks in one. */
export function joinBlocks(
  blocks: readonly VectorBlock[],
  keep: (doc: number) => boolean = () => true,
): VectorBlock {
  const picked = blocks
    .flatMap((block, from) => Array.from(block.docs, (doc, row) => ({ doc, row, from })))
    .filter(({ doc }) => keep(doc))
    .sort((a, b) => a.doc - b.doc);
  const dimensions = blocks[0] ? blocks[0].vectors.length / blocks[0].docs.length : 0;
  const vectors = new Uint8Array(picked.length * dimensions);
  for (const [at, { row, from }] of picked.entries())
    vectors.set(blocks[from]!.vectors.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
  return {
    docs: Float64Array.from(picked, ({ doc }) => doc),
    times: Float64Array.from(picked, ({ row, from }) => blocks[from]!.times[row]!),
    roles: Uint8Array.from(picked, ({ row, from }) => blocks[from]!.roles[row]!),
    lengths: Float32Array.from(picked, ({ row, from }) => blocks[from]!.lengths[row]!),
    vectors,
  };
}
