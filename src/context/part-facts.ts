import { hash } from 'node:crypto';
import type { Part } from '../record/index.ts';
import { countMessage, countPart } from '../tokens/index.ts';

// Rendered parts are remembered with their entries, so each is counted, measured and hashed once in its life.
const hashes = new WeakMap<Part, string>();
const sizes = new WeakMap<Part, number>();
const tokens = new WeakMap<Part, number>();

/** The same for parts that are the same as JSON, and for no others. */
export function hashOf(part: Part): string {
  let known = hashes.get(part);
  if (known === undefined) {
    known = hash('sha1', JSON.stringify(part, briefly), 'base64');
    hashes.set(part, known);
  }
  return known;
}

/** Writing long strings out as JSON costs several times what hashing them does. */
function briefly(_: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > 256 ? `#${hash('sha1', value, 'base64')}` : value;
}

/** Bytes of a part as JSON. */
export function bytesOf(part: Part): number {
  let bytes = sizes.get(part);
  if (bytes === undefined) {
    bytes = Buffer.byteLength(JSON.stringify(part));
    sizes.set(part, bytes);
  }
  return bytes;
}

/** What a part costs; counted once in its life. */
export function partTokens(part: Part): number {
  let count = tokens.get(part);
  if (count === undefined) {
    count = countPart(part);
    tokens.set(part, count);
  }
  return count;
}

/** What the frame of a message costs. */
const FRAME = countMessage({ role: 'user', parts: [] });

/** What a message of these parts costs, as `countMessage` has it. */
export function countParts(parts: readonly Part[]): number {
  let sum = FRAME;
  for (const part of parts) sum += partTokens(part);
  return sum;
}

/** About what messages take as JSON, with the frame of each. */
export function bytesOfPieces(pieces: readonly { readonly parts: readonly Part[] }[]): number {
  let bytes = 0;
  for (const { parts } of pieces) {
    bytes += 40;
    for (const part of parts) bytes += bytesOf(part) + 1;
  }
  return bytes;
}
