import type { Entry, Part } from '../record/index.ts';
import { countParts } from './part-facts.ts';
import { placeholder } from './render-media.ts';
import type { Output } from './render-output.ts';

/** Under which name a piece is counted for the meter. */
export type Share = 'pinned' | 'summary' | 'messages' | 'recall';

/** One message of the request while it is being fitted. Never changed: a shorter form is another piece. */
export interface Piece {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly share: Share;
  readonly parts: readonly Part[];
  /** The entry that each part came from; `undefined` for what was written here. */
  readonly sources: readonly (Entry | undefined)[];
  /** By the local estimate. */
  readonly tokens: number;
}

/** A message that nobody said, written by the builder for the model. */
export function notePiece(share: Share, text: string): Piece {
  const parts = [{ type: 'text', text }];
  return { role: 'user', share, parts, sources: [undefined], tokens: countParts(parts) };
}

/** The piece with other parts, counted again. */
export function withParts(
  piece: Piece,
  parts: readonly Part[],
  sources: readonly (Entry | undefined)[] = piece.sources,
): Piece {
  return { ...piece, parts, sources, tokens: countParts(parts) };
}

export function sumTokens(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const piece of pieces) sum += piece.tokens;
  return sum;
}

/** The piece with lines of text in place of some of its images and files. */
export function withoutMedia(piece: Piece, gone: ReadonlySet<Part>): Piece {
  const parts = piece.parts.map((part, index) => {
    const source = piece.sources[index];
    if (!source) return part;
    if (gone.has(part)) return placeholder(part, source);
    if (!itemsOf(part).some((item) => gone.has(item))) return part;
    const value = itemsOf(part).map((item) => (gone.has(item) ? placeholder(item, source) : item));
    return { ...part, output: { ...(part.output as Output), value } };
  });
  return parts.every((part, index) => part === piece.parts[index]) ? piece : withParts(piece, parts);
}

/** The items of a tool output that has several. */
export function itemsOf({ output }: Part): readonly Part[] {
  const { type, value } = (output ?? {}) as Partial<Output>;
  return type === 'content' && Array.isArray(value) ? value : [];
}
