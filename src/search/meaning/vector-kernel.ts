import { code, type Instruction, module } from './wasm-module.ts';

// The two inner loops, in WebAssembly with vector instructions: about ten times as fast as the same loops in JavaScript.
// They work on one memory that the caller lays out; rows are `stride` bytes apart, a multiple of 16, filled up with 0.

interface VectorKernel {
  /**
   * For each of `count` int8 rows from `rows` on, the dot product with the row at `query`, as i32 from `out` on. Up to three rows
   * more are read and written, so that both have to have room for a whole number of `ROWS_AT_ONCE`.
   */
  scan(query: number, rows: number, count: number, stride: number, out: number): void;
  /** Writes the sum of the int8 rows whose numbers (u32) stand at `picks`, each times its f32 scale, as f32 to `out`. */
  sum(picks: number, count: number, rows: number, scales: number, stride: number, out: number): void;
}

/** The memory that a kernel works on. Growing replaces `buffer`, so views on it are made anew. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const PAGE = 65_536;

// As narrow as our use: the full types come only with those of a browser.
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Memory;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (compiled: object, imports: object) => { readonly exports: unknown };
};

/** How far apart rows of this many dimensions lie. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

export function createMemory(bytes: number): Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
}

/** Makes room for at least this many bytes. */
export function growMemory(memory: Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}

export function createVectorKernel(memory: Memory): VectorKernel {
  compiled ??= new WebAssembly.Module(kernelBytes());
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as VectorKernel;
}

let compiled: object | undefined;

function kernelBytes(): Uint8Array<ArrayBuffer> {
  return module([
    { name: 'scan', parameters: 5, i32s: 3, vectors: 7, body: scanBody() },
    { name: 'sum', parameters: 6, i32s: 3, vectors: 7, body: sumBody() },
  ]);
}

/** Rows that are compared at a time: the query is read and widened once for all of them. */
export const ROWS_AT_ONCE = 4;

function scanBody(): Instruction[] {
  const [query, rows, count, stride, out, k, row, from] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [low, high, bytes] = [8, 9, 10];
  const totals = Array.from({ length: ROWS_AT_ONCE }, (_, index) => 11 + index);
  const addHalf = (extend: Instruction, half: number): Instruction[] => [
    code.get(bytes),
    extend,
    code.get(half),
    code.dot,
    code.addLanes,
  ];
  return [
    ...whileLess(row, count, [
      ...totals.flatMap((total) => [code.zero, code.set(total)]),
      code.i32(0),
      code.set(k),
      ...whileLess(k, stride, [
        code.get(query),
        code.get(k),
        code.add,
        code.load,
        code.set(bytes),
        code.get(bytes),
        code.extendLowBytes,
        code.set(low),
        code.get(bytes),
        code.extendHighBytes,
        code.set(high),
        code.get(rows),
        code.get(k),
        code.add,
        code.set(from),
        ...totals.flatMap((total) => [
          code.get(from),
          code.load,
          code.set(bytes),
          code.get(total),
          ...addHalf(code.extendLowBytes, low),
          ...addHalf(code.extendHighBytes, high),
          code.set(total),
          code.get(from),
          code.get(stride),
          code.add,
          code.set(from),
        ]),
        ...increase(k, 16),
      ]),
      ...totals.flatMap((total) => [code.get(out), ...sumOfLanes(total), code.store32, ...increase(out, 4)]),
      code.get(rows),
      code.get(stride),
      code.i32(ROWS_AT_ONCE),
      code.multiply,
      code.add,
      code.set(rows),
      ...increase(row, ROWS_AT_ONCE),
    ]),
  ];
}

function sumOfLanes(vector: number): Instruction[] {
  const rest = [1, 2, 3].flatMap((lane) => [code.get(vector), code.lane(lane), code.add]);
  return [code.get(vector), code.lane(0), ...rest];
}

/** Sixteen columns at a time stay in registers while all picked rows are added up. */
function sumBody(): Instruction[] {
  const [picks, count, rows, scales, stride, out, k, row, pick] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [scale, bytes, shorts] = [9, 10, 11];
  const totals = [12, 13, 14, 15];
  const loadPick: Instruction[] = [
    code.get(picks),
    code.get(row),
    code.i32(2),
    code.shiftLeft,
    code.add,
    code.load32,
    code.set(pick),
  ];
  const addFour = (extend: Instruction, total: number): Instruction[] => [
    code.get(total),
    code.get(shorts),
    extend,
    code.toFloats,
    code.get(scale),
    code.multiplyFloats,
    code.addFloats,
    code.set(total),
  ];
  const addEight = (extend: Instruction, [low, high]: readonly number[]): Instruction[] => [
    code.get(bytes),
    extend,
    code.set(shorts),
    ...addFour(code.extendLowShorts, low!),
    ...addFour(code.extendHighShorts, high!),
  ];
  return whileLess(k, stride, [
    ...totals.flatMap((total) => [code.zero, code.set(total)]),
    code.i32(0),
    code.set(row),
    ...whileLess(row, count, [
      ...loadPick,
      code.get(pick),
      code.i32(2),
      code.shiftLeft,
      code.get(scales),
      code.add,
      code.loadFloat,
      code.splatFloat,
      code.set(scale),
      code.get(pick),
      code.get(stride),
      code.multiply,
      code.get(rows),
      code.add,
      code.get(k),
      code.add,
      code.load,
      code.set(bytes),
      ...addEight(code.extendLowBytes, totals.slice(0, 2)),
      ...addEight(code.extendHighBytes, totals.slice(2)),
      ...increase(row, 1),
    ]),
    ...totals.flatMap((total, index) => [code.get(out), code.get(total), code.storeAt(16 * index)]),
    ...increase(out, 64),
    ...increase(k, 16),
  ]);
}

function whileLess(counter: number, end: number, body: readonly Instruction[]): Instruction[] {
  return [
    code.block,
    code.loop,
    code.get(counter),
    code.get(end),
    code.notLess,
    code.leave,
    ...body,
    code.again,
    code.end,
    code.end,
  ];
}

function increase(local: number, by: number): Instruction[] {
  return [code.get(local), code.i32(by), code.add, code.set(local)];
}
