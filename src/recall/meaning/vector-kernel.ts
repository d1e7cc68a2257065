import { code, type Instruction, module } from './wasm-module.ts';

// The two inner loops, in WebAssembly with vector instructions: about ten times as fast as the same loops in JavaScript.
// They work on one memory that the caller lays out; rows are `stride` bytes apart, a multiple of 16, filled up with 0.

export interface VectorKernel {
  /** For each of `count` int8 rows from `rows` on, the dot product with the row at `query`, as i32 from `out` on. */
  scan(query: number, rows: number, count: number, stride: number, out: number): void;
  /** Adds the int8 rows whose numbers (u32) stand at `picks`, each times its f32 scale, to the f32 row at `out`. */
  sum(picks: number, count: number, rows: number, scales: number, stride: number, out: number): void;
}

/** The memory that a kernel works on. Growing replaces `buffer`, so views on it are made anew. */
export interface Memory {
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
    { name: 'scan', parameters: 5, i32s: 2, vectors: 1, body: scanBody() },
    { name: 'sum', parameters: 6, i32s: 2, vectors: 2, body: sumBody() },
  ]);
}

function scanBody(): Instruction[] {
  const [query, rows, count, stride, out, k, row] = [0, 1, 2, 3, 4, 5, 6];
  const total = 7;
  const halves = (extend: Instruction): Instruction[] => [
    code.get(rows), code.get(k), code.add, code.load, extend,
    code.get(query), code.get(k), code.add, code.load, extend,
    code.dot,
  ]; // biome-ignore format: one operand a line
  return [
    ...whileLess(row, count, [
      code.zero,
      code.set(total),
      code.i32(0),
      code.set(k),
      ...whileLess(k, stride, [
        code.get(total),
        ...halves(code.extendLowBytes),
        code.addLanes,
        ...halves(code.extendHighBytes),
        code.addLanes,
        code.set(total),
        ...increase(k, 16),
      ]),
      code.get(out),
      code.get(total),
      code.lane(0),
      code.get(total),
      code.lane(1),
      code.add,
      code.get(total),
      code.lane(2),
      code.add,
      code.get(total),
      code.lane(3),
      code.add,
      code.store32,
      ...increase(out, 4),
      code.get(rows),
      code.get(stride),
      code.add,
      code.set(rows),
      ...increase(row, 1),
    ]),
  ];
}

function sumBody(): Instruction[] {
  const [picks, count, rows, scales, stride, out, k, row] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [scale, lanes] = [8, 9];
  /** `out[k…] += scale × lanes`, four numbers at a time; `at` is where in `out` they belong. */
  const addFour = (extend: Instruction, at: number): Instruction[] => [
    code.get(out),
    code.get(k),
    code.i32(2),
    code.shiftLeft,
    code.add,
    code.get(out),
    code.get(k),
    code.i32(2),
    code.shiftLeft,
    code.add,
    code.loadAt(at),
    code.get(lanes),
    extend,
    code.toFloats,
    code.get(scale),
    code.multiplyFloats,
    code.addFloats,
    code.storeAt(at),
  ];
  return [
    ...whileLess(row, count, [
      code.get(picks),
      code.load32,
      code.i32(2),
      code.shiftLeft,
      code.get(scales),
      code.add,
      code.loadFloat,
      code.splatFloat,
      code.set(scale),
      code.i32(0),
      code.set(k),
      ...whileLess(k, stride, [
        code.get(picks),
        code.load32,
        code.get(stride),
        code.multiply,
        code.get(rows),
        code.add,
        code.get(k),
        code.add,
        code.loadBytes,
        code.set(lanes),
        ...addFour(code.extendLowShorts, 0),
        ...addFour(code.extendHighShorts, 16),
        ...increase(k, 8),
      ]),
      ...increase(picks, 4),
      ...increase(row, 1),
    ]),
  ];
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
