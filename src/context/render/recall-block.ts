import { countText } from '../../tokens/index.ts';
import type { Recalled } from '../context.ts';
import { cutText } from '../fit/cut-text.ts';
import { type ContextPiece, notePiece } from '../piece.ts';
import { labelRecall, labelRecalled } from './label-text.ts';

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
  readonly piece: ContextPiece;
  readonly shown: readonly Recalled[];
}

/**
 * Recalled messages for the newest question: the best, as far as the budget goes, in the order in which it was said. It stands
 * directly before the question: everything older stays as it was, and the question stays last. Neighbours share one number, and
 * each session and each day is named once.
 */
export function recallPiece(recall: readonly Recalled[], maxTokens: number): RecallPiece | undefined {
  let left = maxTokens - notePiece('recall', labelRecall('')).tokens;
  const chosen: Line[] = [];
  for (const [place, found] of recall.entries()) {
    const words = plainLines(found.text);
    const line = { found, day: dayOf(found), words, byId: place === 0 || isLong(words) };
    const room = left - costOfLabels([...chosen, line]) + costOfLabels(chosen);
    const cut = room < LEAST ? undefined : cutText(words, { maxTokens: room, note: CUT });
    if (cut === undefined) break;
    const shown = { ...line, words: cut.replace(AROUND_CUT, ` ${CUT} `) };
    left = room - countText(shown.words);
    chosen.push(shown);
  }
  // Parts counted apart may come to a little more as one text.
  for (; chosen.length > 0; chosen.pop()) {
    const text = layLines(chosen).map(({ label, words }) => label + words);
    const piece = notePiece('recall', labelRecall(text.join('\n')));
    if (piece.tokens <= maxTokens) return { piece, shown: chosen.map(({ found }) => found) };
  }
  return undefined;
}

interface Line {
  readonly found: Recalled;
  readonly day: string | undefined;
  readonly words: string;
  readonly byId: boolean;
}

/** Of long texts only the beginning is counted. */
function isLong(text: string): boolean {
  return countText(text.slice(0, LONG * 16)) >= LONG;
}

interface Laid {
  readonly label: string;
  readonly words: string;
}

/** In the order of the conversation, each session and each day under its name. */
function layLines(lines: readonly Line[]): Laid[] {
  const ordered = lines.toSorted((a, b) => inConversation(a.found, b.found));
  const isElsewhere = ordered.some(({ found }) => found.session !== undefined);
  return ordered.flatMap(({ found, day, words, byId }, index) => {
    const before = ordered[index - 1];
    const inSession = before !== undefined && before.found.session === found.session;
    const inDay = inSession && before.day === day;
    const joined = inDay && !byId && before.found.seq === found.seq - 1;
    return [
      ...(isElsewhere && !inSession ? [heading(sessionLine(found))] : []),
      ...(day === undefined || inDay ? [] : [heading(`${day}:`)]),
      { label: labelRecalled(found, { byId, joined }), words },
    ];
  });
}

function heading(label: string): Laid {
  return { label, words: '' };
}

function sessionLine({ session }: Recalled): string {
  return session === undefined ? 'This session:' : `Session ${session}:`;
}

function costOfLabels(lines: readonly Line[]): number {
  return layLines(lines).reduce((sum, { label }) => sum + countText(label) + LINE_BREAK, 0);
}

/** Other sessions were before this one. */
function inConversation(a: Recalled, b: Recalled): number {
  return (
    Number(a.session === undefined) - Number(b.session === undefined) ||
    compare(a.session ?? '', b.session ?? '') ||
    a.seq - b.seq
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By the calendar of no place in particular, so that the same entries give the same text everywhere. */
function dayOf({ at }: Recalled): string | undefined {
  const date = new Date(at ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().split('T')[0]!;
}

/** Only the first line of a message stands at the margin: none of the others can pass for a label. */
function plainLines(text: string): string {
  return text
    .toWellFormed()
    .trim()
    .replaceAll(/\r\n?|\n/g, '\n  ');
}
