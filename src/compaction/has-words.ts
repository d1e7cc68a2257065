import type { Entry, Summary } from '../record/index.ts';
import { readPart } from '../text/index.ts';
import { writtenLines } from './written-lines.ts';

/** True if the summary has any words. */
export function hasWords(summary: Summary): boolean {
  return [summary.overview, ...writtenLines(summary)].some(hasLetters);
}

function hasLetters(text: unknown): boolean {
  return typeof text === 'string' && /[\p{L}\p{N}]{2}/u.test(text);
}

/** A count of messages of which nothing is quoted, for lack of words or of room: `12 messages without words to quote: 6 tool calls.` */
export function sayWhatWasThere(entries: readonly Entry[]): string {
  const pieces = entries.flatMap(({ body }) => (body.kind === 'message' ? body.parts.map(readPart) : []));
  const calls = pieces.filter(({ kind }) => kind === 'call').length;
  const files = pieces.filter(({ kind }) => kind === 'file').length;
  const held = [
    ...(calls > 0 ? [count(calls, 'tool call')] : []),
    ...(files > 0 ? [count(files, 'file or image', 'files or images')] : []),
  ];
  const said = pieces.some((piece) => piece.kind === 'said' && hasLetters(piece.text));
  const why = said ? 'too long to quote here' : 'without words to quote';
  const messages = `${count(entries.length, 'message')} ${why}`;
  return `${[messages, ...(held.length > 0 ? [held.join(', ')] : [])].join(': ')}.`;
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
