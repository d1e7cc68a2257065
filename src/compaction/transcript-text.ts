import { type Entry, summaryIn } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { type SayOptions, sayMessage } from '../text/index.ts';

/** Characters of one tool input or output that a summariser reads: the start and the end, where the point usually is. */
const RESULT_LENGTH = 4_000;
/** Characters of one entry. */
const TEXT_LENGTH = 24_000;

/**
 * Entries as text for a summariser to read, each under its number and cut to its start and end. It is data: text that
 * looks like the end of the transcript, or like the number that an entry begins with, is made harmless, so that no entry
 * can pose as another.
 */
export function transcriptText(
  entries: readonly Entry[],
  { longest = TEXT_LENGTH }: { longest?: number } = {},
): string {
  return entries
    .map((entry) => `[#${entry.seq}] ${speakerOf(entry)}: ${defuse(shorten(textOf(entry), longest))}`)
    .join('\n\n');
}

function speakerOf({ body }: Entry): string {
  if (body.kind === 'message') return body.role;
  return body.kind === 'compaction' ? 'summary of earlier entries' : body.kind;
}

function textOf({ body }: Entry): string {
  if (body.kind === 'message') return sayMessage(body, WORDING);
  const held = summaryIn(body);
  // The background is the text of older entries, which stand before it or were removed since.
  return held ? renderSummary({ ...held, background: '' }) : '';
}

const WORDING: SayOptions = {
  call: ({ name, input }) => `(calls ${name} ${shorten(input, RESULT_LENGTH)})`,
  result: ({ name, output, failed }) =>
    `(${name} gave ${shorten(failed ? `an error: ${output}` : output, RESULT_LENGTH)})`,
  file: ({ type }) => `(${type})`,
  other: (type) => `(${type})`,
  large: ({ preview }) => `${preview} …`,
};

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const cut = text.length - 2 * half;
  return `${text.slice(0, half).toWellFormed()} … (${cut} characters left out) … ${text.slice(-half).toWellFormed()}`;
}

function defuse(text: string): string {
  return text.replace(/<(\/?)(transcript)/gi, '‹$1$2').replace(/^(\s*)\[(?=\s*#\s*\d)/gm, '$1‹');
}
