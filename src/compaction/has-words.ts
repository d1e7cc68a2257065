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

/**
 * A count of messages of which the digest kept no line: `12 messages without words to quote: 6 tool calls.` With room for
 * quotes, in characters, the newest short messages of people are quoted: `6 messages, among them "First", "Second".`
 */
export function sayWhatWasThere(entries: readonly Entry[], { quotes = 0 } = {}): string {
  const pieces = entries.flatMap(({ body }) => (body.kind === 'message' ? body.parts.map(readPart) : []));
  const calls = pieces.filter(({ kind }) => kind === 'call').length;
  const files = pieces.filter(({ kind }) => kind === 'file').length;
  const held = [
    ...(calls > 0 ? [count(calls, 'tool call')] : []),
    ...(files > 0 ? [count(files, 'file or image', 'files or images')] : []),
  ];
  const said = pieces.some((piece) => piece.kind === 'said' && hasLetters(piece.text));
  const quoted = shortQuestions(entries, quotes);
  if (quoted.length > 0) return `${count(entries.length, 'message')}, among them ${quoted.join(', ')}.`;
  const why = said ? 'too long to quote here' : 'without words to quote';
  const messages = `${count(entries.length, 'message')} ${why}`;
  return `${[messages, ...(held.length > 0 ? [held.join(', ')] : [])].join(': ')}.`;
}

function shortQuestions(entries: readonly Entry[], room: number): string[] {
  const texts = entries.flatMap(({ body }) =>
    body.kind === 'message' && body.role === 'user'
      ? body.parts
          .map(readPart)
          .flatMap((piece) =>
            piece.kind === 'said' && typeof piece.text === 'string' ? [piece.text.trim()] : [],
          )
      : [],
  );
  const quoted: string[] = [];
  let left = room;
  for (const text of texts.reverse()) {
    if (text.length > LONGEST_QUOTE || text.length + 4 > left || /[\n"]/.test(text) || !hasLetters(text))
      continue;
    left -= text.length + 4;
    quoted.unshift(`"${text}"`);
  }
  return quoted;
}

const LONGEST_QUOTE = 80;

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
