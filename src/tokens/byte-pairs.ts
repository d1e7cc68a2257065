import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.ts';

/** How many tokens the bytes of one piece are, each a character of a string. */
export type CountPiece = (bytes: string) => number;

/** Above all ranks: two of these are one token by no rule. */
const NEVER = 2 ** 20;
/** A rank and a place in one number, to be ordered by rank and then from left to right. */
const PLACES = 2 ** 32;

/** Byte pair encoding by the tokens of a file that scripts/build-tokenizers.ts has made. */
export function readBytePairs(file: string): CountPiece {
  const ranks = readRanks(file);
  const rankOf = (bytes: string) => ranks.get(bytes) ?? NEVER;
  return (bytes) => (bytes.length < 2 || ranks.has(bytes) ? 1 : mergeAll(bytes, rankOf));
}

function readRanks(file: string): ReadonlyMap<string, number> {
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib');
  const words = brotliDecompressSync(readFileSync(packageFile(file))).toString('latin1');
  const ranks = new Map<string, number>();
  for (let at = 0, rank = 0; at < words.length; rank++) {
    const end = at + 1 + words.charCodeAt(at);
    ranks.set(words.slice(at + 1, end), rank);
    at = end;
  }
  return ranks;
}

/**
 * Joins the two neighbours that are joined first of all, again and again. The next ones come from a heap: a piece may be a
 * million letters without a space.
 */
function mergeAll(bytes: string, rankOf: (bytes: string) => number): number {
  const { length } = bytes;
  const next = new Int32Array(length + 1);
  const before = new Int32Array(length + 1);
  const ranks = new Int32Array(length + 1).fill(NEVER);
  const heap: number[] = [];
  const look = (at: number) => {
    const second = next[at]!;
    ranks[at] = second < length ? rankOf(bytes.slice(at, next[second]!)) : NEVER;
    if (ranks[at] < NEVER) push(heap, ranks[at] * PLACES + at);
  };
  for (let at = 0; at <= length; at++) {
    next[at] = at + 1;
    before[at] = at - 1;
  }
  for (let at = 0; at < length; at++) look(at);
  let tokens = length;
  while (heap.length > 0) {
    const least = pop(heap);
    const at = least % PLACES;
    if (ranks[at] !== (least - at) / PLACES) continue;
    const gone = next[at]!;
    ranks[gone] = NEVER;
    next[at] = next[gone]!;
    before[next[at]] = at;
    tokens--;
    look(at);
    if (at > 0) look(before[at]!);
  }
  return tokens;
}

function push(heap: number[], value: number): void {
  let at = heap.push(value) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = value;
}

function pop(heap: number[]): number {
  const least = heap[0]!;
  const last = heap.pop()!;
  const { length } = heap;
  if (length === 0) return least;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= length) break;
    if (child + 1 < length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= last) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return least;
}
