import type { Entry, Part } from '../../record/index.ts';
import { isMedia, readPart, sayOutput, sayValue } from '../../text/index.ts';
import { countAs } from '../piece.ts';
import { ANY_ID } from '../render/label-text.ts';
import { placeholder } from '../render/render-media.ts';
import { cutText } from './cut-text.ts';

/** Room for what a part has besides its text: names, ids, the frame of a message. */
const FRAME = 24;

/**
 * A text, an output or the arguments of a call in about so many tokens, with a reference to the entry that has the whole.
 * Other parts come back as they are.
 */
export function cutPart(part: Part, maxTokens: number, entry: Entry): Part {
  const inside = {
    maxTokens: Math.max(0, maxTokens - FRAME),
    note: `[Cut to fit. Entry ${ANY_ID} has the whole.]`,
  };
  const cut = (text: string, toPart: (text: string) => Part) =>
    // A part that is cut a second time names the entry already.
    nameEntry(cutText(text.replaceAll(entry.id, ANY_ID), inside) ?? inside.note, entry, toPart);
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      return cut(piece.text as string, toText);
    case 'result': {
      const type = piece.failed ? 'error-text' : 'text';
      return cut(sayOutput(piece), (value) => ({ ...part, output: { type, value } }));
    }
    case 'call':
      return cut(sayValue(piece.input), (text) => ({ ...part, input: { cut: text } }));
    default:
      return isMedia(part) ? placeholder(part, entry) : part;
  }
}

export const toText = (text: string): Part => ({ type: 'text', text });

/** A text that was cut as if it named any entry, as a part that names this one. */
export function nameEntry(cut: string, { id }: Entry, toPart: (text: string) => Part): Part {
  return countAs(toPart(cut.replaceAll(ANY_ID, id)), toPart(cut));
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
