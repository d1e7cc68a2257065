import { hash } from 'node:crypto';
import type { Part } from '../record/index.ts';
import { countMessage, countPart } from '../tokens/index.ts';

interface Facts {
  readonly bytes: number;
  readonly hash: string;
}

// Rendered parts are remembered with their entries, so each is written out as JSON once in its life.
const cache = new WeakMap<Part, Facts>();
const tokens = new WeakMap<Part, number>();

/** Length and hash of a part as JSON. */
export function factsOf(part: Part): Facts {
  let facts = cache.get(part);
  if (!facts) {
    const json = JSON.stringify(part);
    facts = { bytes: Buffer.byteLength(json), hash: hash('sha256', json, 'base64').slice(0, 22) };
    cache.set(part, facts);
  }
  return facts;
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
    for (const part of parts) bytes += factsOf(part).bytes + 1;
  }
  return bytes;
}
