import { cutText, type HeadPiece } from '../../context/index.ts';
import { countText } from '../../tokens/index.ts';

/** Pieces that are plain text stand under a heading; the project's memory has another. */
const HEADINGS: Readonly<Record<string, string>> = {
  agent: '# Agent Instructions',
  system: '# Session Instructions',
};

/** Which piece is shortened before another: facts first, the session's own system prompt last. */
const ORDER = ['memory', 'agent', 'system'];

/** Tokens that join a section to the one before it. */
const JOINT = 2;

/**
 * The pieces of a head as sections, in their order. Over `maxTokens`, lines are left out with a note, first of the piece that
 * matters least: of facts the oldest, of other texts those in the middle.
 */
export function layoutHead(
  pieces: readonly HeadPiece[],
  maxTokens: number = Number.POSITIVE_INFINITY,
): string {
  const texts = new Map(pieces.map((piece) => [piece, sectionOf(piece)]));
  const tokensOf = () =>
    [...texts.values()].reduce((sum, text) => (text === '' ? sum : sum + countText(text) + JOINT), 0);
  for (const piece of pieces.toSorted((a, b) => ORDER.indexOf(a.part) - ORDER.indexOf(b.part))) {
    const over = tokensOf() - maxTokens;
    if (over <= 0) break;
    const text = texts.get(piece)!;
    texts.set(piece, shorten(piece, text, countText(text) - over));
  }
  return [...texts.values()].filter((text) => text !== '').join('\n\n');
}

function sectionOf({ part, text }: HeadPiece): string {
  const body = text.toWellFormed().trim();
  const heading = HEADINGS[part];
  return body === '' || heading === undefined ? body : `${heading}\n\n${body}`;
}

/** Leaves out as few lines as have to go. A text whose single lines are too long is cut inside of one. */
function shorten({ part }: HeadPiece, text: string, maxTokens: number): string {
  const lines = text.split('\n');
  const order = part === 'memory' ? factsOf(lines) : fromTheMiddle(lines);
  const without = (count: number) => leaveOut(lines, new Set(order.slice(0, count)));
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countText(without(middle)) <= maxTokens) high = middle;
    else low = middle + 1;
  }
  const shortened = without(high);
  if (countText(shortened) <= maxTokens) return shortened;
  return part === 'memory' ? '' : (cutText(text, { maxTokens, note: note(lines.length - 1) }) ?? '');
}

/** The numbers of the lines that are facts, the oldest first. */
function factsOf(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => (line.startsWith('- ') ? [index] : []));
}

/** The end of a text is worth less than its beginning. */
const MIDDLE = 0.6;

/** The numbers of the lines below the heading and its first line, those nearest to the middle first. */
function fromTheMiddle(lines: readonly string[]): number[] {
  const middle = lines.length * MIDDLE;
  return lines
    .map((_, index) => index)
    .slice(3)
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
}

function leaveOut(lines: readonly string[], gone: ReadonlySet<number>): string {
  if (gone.size === 0) return lines.join('\n');
  const gap = Math.min(...gone);
  return lines
    .flatMap((line, index) => (index === gap ? [note(gone.size)] : gone.has(index) ? [] : [line]))
    .join('\n');
}

function note(lines: number): string {
  return `(${lines} ${lines === 1 ? 'line is' : 'lines are'} not shown: the request has no room.)`;
}
