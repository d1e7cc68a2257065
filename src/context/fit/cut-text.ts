import { countText } from '../../tokens/index.ts';

/**
 * The beginning and the end of a text with a note between them, in at most `maxTokens`; the text itself if it fits, and
 * `undefined` if not even the note does. Cuts fall between code points.
 */
export function cutText(
  text: string,
  { maxTokens, note }: { maxTokens: number; note: string },
): string | undefined {
  // Hardly any text has more than 16 characters a token; only one that may fit is worth counting whole.
  if (text.length <= maxTokens * 16 && countText(text) <= maxTokens) return text;
  const sample = text.slice(0, Math.max(0, maxTokens) * 4);
  const perToken = sample.length / Math.max(1, countText(sample));
  let length = Math.min(text.length - 1, Math.floor((maxTokens - countText(note) - 2) * perToken));
  while (length > 0) {
    const cut = cutTo(text, length, note);
    const tokens = countText(cut);
    if (tokens <= maxTokens) return cut;
    length = Math.min(length - 1, Math.floor((length * maxTokens * 0.98) / tokens));
  }
  return countText(note) <= maxTokens ? note : undefined;
}

const BEGINNING = 0.6;

function cutTo(text: string, length: number, note: string): string {
  const head = Math.ceil(length * BEGINNING);
  return `${text.slice(0, pointAt(text, head))}\n${note}\n${text.slice(pointAt(text, text.length - (length - head)))}`;
}

/** The nearest position at or after `index` that is not inside a surrogate pair. */
function pointAt(text: string, index: number): number {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  const inside = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return inside ? index + 1 : index;
}
