import { crc32 } from 'node:zlib';
import type { Entry, Message, Part } from '../record/index.ts';
import { countMessage, countPart } from '../tokens/index.ts';

/** Under which name a piece is counted for the meter. */
export type Share = 'pinned' | 'summary' | 'messages' | 'recall';

/** One message of the request while it is being fitted. Never changed: a shorter form is another piece. */
export interface ContextPiece {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly share: Share;
  readonly parts: readonly Part[];
  /** The entry that each part came from; `undefined` for texts written here. */
  readonly sources: readonly (Entry | undefined)[];
  /** By the local estimate. */
  readonly tokens: number;
}

/** A message written by the builder for the model. `like`: the text it is counted as. */
export function notePiece(share: Share, text: string, like = text): ContextPiece {
  const parts = [countAs({ type: 'text', text }, { type: 'text', text: like })];
  return { role: 'user', share, parts, sources: [undefined], tokens: countParts(parts) };
}

/** The piece with other parts, counted again. */
export function withParts(
  piece: ContextPiece,
  parts: readonly Part[],
  sources: readonly (Entry | undefined)[] = piece.sources,
): ContextPiece {
  return { ...piece, parts, sources, tokens: countParts(parts) };
}

export function sumTokens(pieces: readonly ContextPiece[]): number {
  let sum = 0;
  for (const piece of pieces) sum += piece.tokens;
  return sum;
}

/** The items of a tool output that has several. */
export function itemsOf({ output }: Part): readonly Part[] {
  const { type, value } = (output ?? {}) as { readonly type?: unknown; readonly value?: unknown };
  return type === 'content' && Array.isArray(value) ? value : [];
}

// Rendered parts are remembered with their entries, so each is counted, measured and hashed once in its life.
const hashes = new WeakMap<Part, string>();
const sizes = new WeakMap<Part, number>();
const tokens = new WeakMap<Part, number>();
const likes = new WeakMap<Part, Part>();

/** The same for parts that are the same as JSON, and as good as never for others. */
export function pieceHashOf(part: Part): string {
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
    count = countPart(countedAs(part));
    tokens.set(part, count);
  }
  return count;
}

/** The part, counted as another one: as it would be if it named any entry, and not this one. */
export function countAs(part: Part, like: Part): Part {
  if (part !== like) likes.set(part, countedAs(like));
  return part;
}

export function countedAs(part: Part): Part {
  return likes.get(part) ?? part;
}

/** The changed part, still counted as if it named any entry. */
export function changePart(part: Part, change: (part: Part) => Part): Part {
  const like = countedAs(part);
  return like === part ? change(part) : countAs(change(part), change(like));
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
  return changePart(part, ({ providerOptions: _, providerMetadata: __, ...rest }) => rest);
}
