// Just enough of the WebAssembly binary format to write the vector kernel down in words instead of bytes.

export type Instruction = readonly number[];

interface FunctionSpec {
  readonly name: string;
  /** All parameters are i32, and nothing is returned. */
  readonly parameters: number;
  /** Locals follow the parameters: first i32, then vectors. */
  readonly i32s: number;
  readonly vectors: number;
  readonly body: readonly Instruction[];
}

const simd = (opcode: number, ...rest: number[]): Instruction => [0xfd, ...unsigned(opcode), ...rest];

export const code = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  /** Out of the block around the loop, if the comparison holds. */
  leave: [0x0d, 1],
  /** Back to the start of the loop. */
  again: [0x0c, 0],
  get: (local: number): Instruction => [0x20, local],
  set: (local: number): Instruction => [0x21, local],
  i32: (value: number): Instruction => [0x41, ...signed(value)],
  add: [0x6a],
  multiply: [0x6c],
  shiftLeft: [0x74],
  /** Greater or equal, unsigned. */
  notLess: [0x4f],
  load32: [0x28, 2, 0],
  loadFloat: [0x2a, 2, 0],
  store32: [0x36, 2, 0],
  zero: simd(12, ...new Array<number>(16).fill(0)),
  load: simd(0, 0, 0),
  storeAt: (offset: number): Instruction => simd(11, 0, offset),
  splatFloat: simd(19),
  lane: (index: number): Instruction => simd(27, index),
  extendLowBytes: simd(135),
  extendHighBytes: simd(136),
  extendLowShorts: simd(167),
  extendHighShorts: simd(168),
  dot: simd(186),
  addLanes: simd(174),
  toFloats: simd(250),
  addFloats: simd(228),
  multiplyFloats: simd(230),
} as const;

const I32 = 0x7f;
const V128 = 0x7b;

/** A module that exports the functions and works on the memory `host.memory`. */
export function module(functions: readonly FunctionSpec[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [
    0x60,
    ...list(new Array<number[]>(parameters).fill([I32])),
    0,
  ]);
  const memory = [...text('host'), ...text('memory'), 2, 0, 1];
  const bodies = functions.map(({ i32s, vectors, body }) => {
    const locals = list([
      [...unsigned(i32s), I32],
      [...unsigned(vectors), V128],
    ]);
    return sized([...locals, ...body.flat(), 0x0b]);
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list([memory])),
    ...section(3, list(functions.map((_, index) => [index]))),
    ...section(7, list(functions.map(({ name }, index) => [...text(name), 0, index]))),
    ...section(10, list(bodies)),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

function sized(content: readonly number[]): number[] {
  return [...unsigned(content.length), ...content];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(name: string): number[] {
  return sized([...Buffer.from(name)]);
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const done = value >= -64 && value < 64;
  return done ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
