import { readFile } from 'node:fs/promises';
import { packageFile } from '../../tokens/index.ts';
import { createWordReader, type ReadWords } from './read-words.ts';
import { createMemory, createVectorKernel, ROWS_AT_ONCE, strideOf } from './vector-kernel.ts';
import { lengthOf, quantize, toUnit } from './vectors.ts';

// A vector for each of the most frequent English words and word pieces, trained so that the sum of a sentence's words
// points where a sentence encoder points (scripts/build-word-table.ts). The file: "WVT1", three little-endian u32
// (words, dimensions, bytes of the word list), the words with line feeds between them, a f32 scale per word, int8 rows.

export interface WordTable {
  readonly name: string;
  readonly size: number;
  readonly dimensions: number;
  /** The words of a text: folded, letters and digits. */
  read(text: string): ReadWords;
  /** The sum of the words' vectors, or of their pieces', of length 1; all zero if none is known. */
  embed(words: ReadWords): Float32Array;
  /** Cosine between a vector and every word, by row. */
  likenesses(vector: Float32Array): Float32Array;
}

const FILE = 'data/words40k-128.bin';
/** Words of one text that count; a text is cut long before. */
const MOST_PICKED = 8192;

let loading: Promise<WordTable> | undefined;

/** Read once per process, when meaning is first asked for. */
export function loadWordTable(): Promise<WordTable> {
  loading ??= readFile(packageFile(FILE)).then(readWordTable);
  return loading;
}

function readWordTable(file: Uint8Array): WordTable {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== 0x57565431) throw new Error('bug: the word table is not one');
  const [size, dimensions, listed] = [4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  const words = new TextDecoder()
    .decode(file.subarray(16, 16 + listed))
    .trimEnd()
    .split('\n');
  const { sumRows, likenesses } = layOut(file.subarray(16 + listed), { size, dimensions });

  return {
    name: `words-${size}x${dimensions}`,
    size,
    dimensions,
    read: createWordReader(words),
    embed: ({ rows }) => toUnit(sumRows(rows)),
    likenesses,
  };
}

/** Puts the numbers where the kernel can work on them: rows, scales, then room for the query. */
function layOut(numbers: Uint8Array, { size, dimensions }: { size: number; dimensions: number }) {
  if (strideOf(dimensions) !== dimensions) throw new Error('bug: the word table does not fit the kernel');
  const scalesAt = size * dimensions;
  const sumAt = scalesAt + 4 * size;
  const picksAt = sumAt + 4 * dimensions;
  const queryAt = picksAt + 4 * MOST_PICKED;
  const dotsAt = queryAt + dimensions;
  const { buffer, kernel } = createKernel(dotsAt + 4 * (size + ROWS_AT_ONCE));
  new Uint8Array(buffer, 0, scalesAt).set(numbers.subarray(4 * size));
  new Uint8Array(buffer, scalesAt, 4 * size).set(numbers.subarray(0, 4 * size));
  const rows = new Int8Array(buffer, 0, scalesAt);
  const [sum, picks] = [
    new Float32Array(buffer, sumAt, dimensions),
    new Uint32Array(buffer, picksAt, MOST_PICKED),
  ];
  const [query, dots] = [new Int8Array(buffer, queryAt, dimensions), new Int32Array(buffer, dotsAt, size)];
  let inverses: Float32Array | undefined;
  return {
    sumRows(picked: readonly number[]): Float32Array {
      picks.set(picked.length > MOST_PICKED ? picked.slice(0, MOST_PICKED) : picked);
      kernel.sum(picksAt, Math.min(picked.length, MOST_PICKED), 0, scalesAt, dimensions, sumAt);
      return sum.slice();
    },
    likenesses(vector: Float32Array): Float32Array {
      const quantized = quantize(vector);
      if (quantized.length === 0) return new Float32Array(size);
      inverses ??= Float32Array.from({ length: size }, (_, row) => {
        return 1 / lengthOf(rows.subarray(row * dimensions, (row + 1) * dimensions));
      });
      query.set(quantized);
      kernel.scan(queryAt, 0, size, dimensions, dotsAt);
      const inverse = 1 / lengthOf(quantized);
      const cosines = new Float32Array(size);
      for (let row = 0; row < size; row++) cosines[row] = dots[row]! * inverse * inverses[row]!;
      return cosines;
    },
  };
}

function createKernel(bytes: number) {
  const memory = createMemory(bytes);
  return { buffer: memory.buffer, kernel: createVectorKernel(memory) };
}
