import { countText } from '../tokens/index.ts';
import type { Recalled } from './context.ts';
import { cutText } from './cut-text.ts';
import { labelRecall, labelRecalled } from './label-text.ts';
import { notePiece, type Piece } from './piece.ts';

/** Too little of a message to be worth its label. */
const LEAST = 24;
/**
 * Every entry is called by its number. An id takes as much room as a short message, so only the best has one, and those
 * that are long enough to carry it.
 */
const LONG = 110;
const LINE_BREAK = 1;
const CUT = '[…]';
const AROUND_CUT = /\s*\n\[…\]\n\s*/;

export interface RecallPiece {
  readonly piece: Piece;
  readonly shown: readonly Recalled[];
}

/**
 * What was found for the newest question: the best, as far as the budget goes, told in the order it was said. It stands
 * directly before the question: everything older stays as it was, and the question stays last.
 */
export function recallPiece(recall: readonly Recalled[], maxTokens: number): RecallPiece | undefined {
  let left = maxTokens - notePiece('recall', labelRecall('')).tokens;
  const days = new Set<string>();
  const chosen: Line[] = [];
  for (const [place, found] of recall.entries()) {
    const day = dayOf(found);
    const header = day === undefined || days.has(day) ? 0 : countText(dayLine(day)) + LINE_BREAK;
    const words = plainLines(found.text);
    const label = labelRecalled(found, { byId: place === 0 || isLong(words) });
    const room = left - header - countText(label) - LINE_BREAK;
    const cut = room < LEAST ? undefined : cutText(words, { maxTokens: room, note: CUT });
    if (cut === undefined) break;
    if (day !== undefined) days.add(day);
    const text = label + cut.replace(AROUND_CUT, ` ${CUT} `);
    left -= header + countText(text) + LINE_BREAK;
    chosen.push({ found, day, text });
  }
  // What was counted apart may come to a little more as one text.
  for (; chosen.length > 0; chosen.pop()) {
    const piece = notePiece('recall', labelRecall(layLines(chosen)));
    if (piece.tokens <= maxTokens) return { piece, shown: chosen.map(({ found }) => found) };
  }
  return undefined;
}

interface Line {
  readonly found: Recalled;
  readonly day: string | undefined;
  readonly text: string;
}

/** Of what is long beyond doubt only the beginning is counted. */
function isLong(text: string): boolean {
  return countText(text.slice(0, LONG * 16)) >= LONG;
}

/** In the order of the conversation, each day under its date. */
function layLines(lines: readonly Line[]): string {
  const ordered = lines.toSorted((a, b) => inConversation(a.found, b.found));
  return ordered
    .flatMap(({ day, text }, index) =>
      day === undefined || day === ordered[index - 1]?.day ? [text] : [dayLine(day), text],
    )
    .join('\n');
}

/** What comes from another session was said before this one began. */
function inConversation(a: Recalled, b: Recalled): number {
  return Number(a.session === undefined) - Number(b.session === undefined) || a.seq - b.seq;
}

/** By the calendar of no place in particular, so that the same entries give the same text everywhere. */
function dayOf({ at }: Recalled): string | undefined {
  const date = new Date(at ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().split('T')[0]!;
}

function dayLine(day: string): string {
  return `${day}:`;
}

/** Only the first line of a message stands at the margin: none of the others can pass for a label. */
function plainLines(text: string): string {
  return text
    .toWellFormed()
    .trim()
    .replaceAll(/\r\n?|\n/g, '\n  ');
}
