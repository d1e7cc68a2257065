import type { Entry, Summary } from '../record/index.ts';
import { writtenLines } from './written-lines.ts';

/** Whether whoever wrote a summary wrote anything. */
export function hasWords(summary: Summary): boolean {
  return [summary.overview, ...writtenLines(summary)].some((text) => /[\p{L}\p{N}]{2}/u.test(text));
}

/** What there was, when nothing in it can be quoted: `12 messages without words to quote: 6 tool calls.` */
export function sayWhatWasThere(entries: readonly Entry[]): string {
  const parts = entries.flatMap(({ body }) => (body.kind === 'message' ? body.parts : []));
  const calls = parts.filter(({ type }) => type === 'tool-call').length;
  const files = parts.filter(({ type }) => type === 'file' || type === 'image').length;
  const held = [
    ...(calls > 0 ? [count(calls, 'tool call')] : []),
    ...(files > 0 ? [count(files, 'file or image', 'files or images')] : []),
  ];
  const messages = `${count(entries.length, 'message')} without words to quote`;
  return `${[messages, ...(held.length > 0 ? [held.join(', ')] : [])].join(': ')}.`;
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
