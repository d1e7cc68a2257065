import type { Entry, Part } from '../record/index.ts';
import { isMedia, readPart, sayOutput, sayValue } from '../text/index.ts';
import { cutText } from './cut-text.ts';
import { placeholder } from './render-media.ts';

/** Room for what a part has besides its text: names, ids, the frame of a message. */
const FRAME = 24;

/**
 * A text, an output or the arguments of a call in about so many tokens, with a reference to the entry that has the whole.
 * Other parts come back as they are.
 */
export function cutPart(part: Part, maxTokens: number, entry: Entry): Part {
  const inside = {
    maxTokens: Math.max(0, maxTokens - FRAME),
    note: `[Cut to fit. Entry ${entry.id} has the whole.]`,
  };
  const cut = (text: string) => cutText(text, inside) ?? inside.note;
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      return { type: 'text', text: cut(piece.text as string) };
    case 'result':
      return {
        ...part,
        output: { type: piece.failed ? 'error-text' : 'text', value: cut(sayOutput(piece)) },
      };
    case 'call':
      return { ...part, input: { cut: cut(sayValue(piece.input)) } };
    default:
      return isMedia(part) ? placeholder(part, entry) : part;
  }
}

/** The height at which the sizes, each cut off there, add up to no more than `room`. */
export function waterLevel(sizes: readonly number[], room: number): number {
  let left = room;
  const sorted = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of sorted.entries()) {
    const level = Math.floor(left / (sorted.length - index));
    if (size > level) return Math.max(0, level);
    left -= size;
  }
  return sorted.at(-1) ?? 0;
}
