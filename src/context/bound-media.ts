import type { Entry, Part } from '../record/index.ts';
import { isMedia } from '../text/index.ts';
import type { Budget } from './context.ts';
import { type Draft, piecesOf } from './draft.ts';
import type { LeftOutTally } from './fit-ladder.ts';
import { bytesOf, bytesOfPieces } from './part-facts.ts';
import { itemsOf, type Piece, withoutMedia } from './piece.ts';
import { isImage } from './render-media.ts';

interface Medium {
  readonly part: Part;
  readonly source: Entry;
  readonly pinned: boolean;
}

/**
 * Keeps images and bytes within what the provider takes, whatever the tokens say: the oldest images and files become
 * lines of text first. Pinned ones go last, but they do go: a request with too many of them is refused whole.
 */
export function boundMedia(
  draft: Draft,
  { maxImages, maxBytes, headBytes }: Pick<Budget, 'maxImages' | 'maxBytes'> & { headBytes: number },
  leftOut: LeftOutTally,
): boolean {
  if (maxImages === undefined && maxBytes === undefined) return false;
  const pieces = piecesOf(draft);
  const media = pieces.flatMap((piece) => mediaIn(piece, draft));
  if (media.length === 0) return false;
  const images = media.filter(({ part }) => isImage(part)).length;
  let extraImages = maxImages === undefined ? 0 : inSteps(images - maxImages, maxImages);
  let extraBytes =
    maxBytes === undefined ? 0 : inSteps(headBytes + bytesOfPieces(pieces) - maxBytes, maxBytes);
  const gone = new Set<Part>();
  for (const { part, source } of [
    ...media.filter(({ pinned }) => !pinned),
    ...media.filter(({ pinned }) => pinned),
  ]) {
    if (extraImages <= 0 && extraBytes <= 0) break;
    if (extraBytes <= 0 && !isImage(part)) continue;
    if (isImage(part)) extraImages--;
    extraBytes -= bytesOf(part);
    gone.add(part);
    leftOut.add(isImage(part) ? 'images' : 'files', 'over the limits of a request', source);
  }
  if (gone.size === 0) return false;
  draft.withoutMedia = gone;
  for (const block of draft.blocks) block.pieces = block.pieces.map((piece) => withoutMedia(piece, gone));
  return true;
}

function mediaIn({ parts, sources, share }: Piece, { isPinned }: Draft): Medium[] {
  return parts.flatMap((part, index) => {
    const source = sources[index];
    if (!source) return [];
    const pinned = share === 'pinned' || isPinned(source);
    const found = isMedia(part) ? [part] : itemsOf(part).filter(isMedia);
    return found.map((one) => ({ part: one, source, pinned }));
  });
}

/** In steps of a tenth of the limit, so that the rest of the request stays the same while a few more come. */
function inSteps(excess: number, limit: number): number {
  const step = Math.max(1, Math.floor(limit / 10));
  return excess <= 0 ? 0 : Math.ceil(excess / step) * step;
}
