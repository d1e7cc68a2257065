import { type Entry, type Part, summaryIn } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';

/** How much of one tool result a summariser reads: its start and its end, where the point usually is. */
const RESULT_LENGTH = 4_000;
/** How much of one entry. */
const TEXT_LENGTH = 24_000;

/**
 * Entries as text for a summariser to read, each under its number and cut to its start and end. It is data: whatever looks
 * like the end of the transcript, or like the number that an entry begins with, is made harmless, so nothing in it can
 * speak as anybody else.
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
  if (body.kind === 'message') return body.parts.map(partText).filter(Boolean).join('\n');
  const held = summaryIn(body);
  // What came before it stands before it, or was taken out since.
  return held ? renderSummary({ ...held, background: '' }) : '';
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return valueText(part.text);
    case 'tool-call':
      return `(calls ${String(part.toolName)} ${shorten(valueText(part.input), RESULT_LENGTH)})`;
    case 'tool-result':
      return `(${String(part.toolName)} gave ${shorten(outputText(part.output), RESULT_LENGTH)})`;
    case 'reasoning':
    // What a provider notes for itself: nobody said it.
    case 'custom':
      return '';
    default:
      return `(${part.type})`;
  }
}

function outputText(output: unknown): string {
  const { type, value } = (output ?? {}) as { type?: string; value?: unknown };
  return `${type?.startsWith('error') ? 'an error: ' : ''}${valueText(value ?? output)}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  const preview = (value as { preview?: unknown } | null)?.preview;
  return typeof preview === 'string' ? `${preview} …` : (JSON.stringify(value) ?? '');
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const cut = text.length - 2 * half;
  return `${text.slice(0, half).toWellFormed()} … (${cut} characters left out) … ${text.slice(-half).toWellFormed()}`;
}

function defuse(text: string): string {
  return text.replace(/<(\/?)(transcript)/gi, '‹$1$2').replace(/^(\s*)\[(?=\s*#\s*\d)/gm, '$1‹');
}
