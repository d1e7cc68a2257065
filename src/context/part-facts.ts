import { crc32 } from 'node:zlib';
import type { Message, Part } from '../record/index.ts';
import { countMessage, countPart } from '../tokens/index.ts';

// Rendered parts are remembered with their entries, so each is counted, measured and hashed once in its life.
const hashes = new WeakMap<Part, string>();
const sizes = new WeakMap<Part, number>();
const tokens = new WeakMap<Part, number>();

/** The same for parts that are the same as JSON, and as good as never for others. */
export function hashOf(part: Part): string {
  let known = hashes.get(part);
  if (known === undefined) {
    known = outline(part);
    hashes.set(part, known);
  }
  return known;
}

/** The value as JSON, but with long texts by their length and checksum: writing them out would cost several times that. */
function outline(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > 64 && value.isWellFormed()
      ? `#${value.length}.${crc32(value)}`
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => outline(item ?? null)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${outline(field)}`).join()}}`;
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

// Signed reasoning, item ids and encrypted content mean something only to the model they came from, and break a request
// to any other one. They stay in the log.

/** Whether what only the producing model understands can go along: it must be known to be the same model. */
export function isSameModel(message: Pick<Message, 'model'>, model: string | undefined): boolean {
  return model !== undefined && message.model === model;
}

export function isReasoning({ type }: Part): boolean {
  return type === 'reasoning' || type === 'reasoning-file';
}

/** Thinking that stopped halfway has no signature, and a provider that signs refuses it. */
export function isSigned({ providerOptions, providerMetadata }: Part): boolean {
  return [providerOptions, providerMetadata].some((options) =>
    Object.values((options ?? {}) as Record<string, unknown>).some((own) =>
      Object.entries((own ?? {}) as Record<string, unknown>).some(
        ([name, value]) =>
          /signature|encrypted|redacted/i.test(name) && typeof value === 'string' && value !== '',
      ),
    ),
  );
}

/** Item ids and signatures on text and calls refer to reasoning; without it they must not be sent either. */
export function withoutProviderFields(part: Part): Part {
  if (part.providerOptions === undefined && part.providerMetadata === undefined) return part;
  const { providerOptions: _, providerMetadata: __, ...rest } = part;
  return rest;
}
