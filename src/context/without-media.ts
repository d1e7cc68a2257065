import type { Part } from '../record/index.ts';
import { type Piece, withParts } from './piece.ts';
import { placeholder } from './render-media.ts';
import type { Output } from './render-output.ts';

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
