import type { Entry, Part } from '../record/index.ts';
import { cutText } from './cut-text.ts';
import { isMedia, placeholder } from './render-media.ts';
import { type Output, outputText } from './render-output.ts';

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
  if (part.type === 'text') return { type: 'text', text: cut(part.text as string) };
  if (part.type === 'tool-result') {
    const output = part.output as Output;
    const failed = output.type.startsWith('error') || output.type === 'execution-denied';
    return { ...part, output: { type: failed ? 'error-text' : 'text', value: cut(outputText(output)) } };
  }
  if (part.type === 'tool-call') return { ...part, input: { cut: cut(JSON.stringify(part.input)) } };
  return isMedia(part) ? placeholder(part, entry) : part;
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
