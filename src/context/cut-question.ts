import type { Part } from '../record/index.ts';
import { isMedia } from '../text/index.ts';
import { cutPart, nameEntry, toText, waterLevel } from './cut-part.ts';
import { cutText } from './cut-text.ts';
import type { Draft } from './draft.ts';
import { ANY_ID } from './label-text.ts';
import type { Block } from './lay-blocks.ts';
import { countParts, type Piece, partTokens, withParts } from './piece.ts';
import { placeholder } from './render-media.ts';

/**
 * The newest question in at most so many tokens: its files go first, oldest first, then its longest texts are cut. False
 * if it is pinned, or if not even a reference fits.
 */
export function cutQuestion(
  block: Block,
  { maxTokens, draft }: { maxTokens: number; draft: Draft },
): boolean {
  const [piece] = block.pieces;
  if (!piece || block.entries.some(draft.isPinned)) return false;
  const cut = cutTexts(withoutMedia(piece, maxTokens), maxTokens) ?? onlyBeginning(piece, maxTokens);
  if (cut) block.pieces = [cut];
  return cut !== undefined;
}

function withoutMedia(piece: Piece, maxTokens: number): Piece {
  let tokens = piece.tokens;
  const parts = piece.parts.map((part, index) => {
    if (tokens <= maxTokens || !isMedia(part)) return part;
    const stub = placeholder(part, piece.sources[index]!);
    tokens += partTokens(stub) - partTokens(part);
    return stub;
  });
  return withParts(piece, parts);
}

function cutTexts(piece: Piece, maxTokens: number): Piece | undefined {
  if (piece.tokens <= maxTokens) return piece;
  const sizes = piece.parts.map((part) => partTokens(part));
  for (let level = waterLevel(sizes, maxTokens); level > 32; level = Math.floor(level * 0.8)) {
    const parts = piece.parts.map((part, index) =>
      sizes[index]! > level ? cutPart(part, level, piece.sources[index]!) : part,
    );
    const cut = withParts(piece, parts);
    if (cut.tokens <= maxTokens) return cut;
  }
  return undefined;
}

/** Too many parts for so little room: their texts as one. */
function onlyBeginning(piece: Piece, maxTokens: number): Piece | undefined {
  const entry = piece.sources[0]!;
  const any = { ...entry, id: ANY_ID };
  const texts = piece.parts.map((part) =>
    part.type === 'text' ? `${part.text}`.replaceAll(entry.id, ANY_ID) : placeholder(part, any).text,
  );
  const frame = countParts([]);
  const note = `[Cut to fit. Entry ${ANY_ID}]`;
  const text = cutText(texts.join('\n'), { maxTokens: maxTokens - frame, note });
  const parts: Part[] = text === undefined ? [] : [nameEntry(text, entry, toText)];
  const cut = withParts(piece, parts, [entry]);
  return parts.length > 0 && cut.tokens <= maxTokens ? cut : undefined;
}
