import { type Entry, isBlobRef, type Part } from '../../record/index.ts';
import { exitCodeOf } from './exit-code.ts';
import { handoverWords, userWords } from './user-words.ts';

/** What one part of a message says, whatever program wrote it. Reasoning, files and unknown parts say nothing here. */
export type Piece =
  | { readonly kind: 'said'; readonly role: 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly tool: string;
      readonly text: string;
      readonly failed: boolean;
      readonly exit?: number;
    };

/** Text beyond this is data, not talk: its beginning and its end are looked at, so that one paste cannot stall us. */
const HEAD = 48_000;
const TAIL = 16_000;

/** An entry and what its parts say: read once, used by the ledger, the digest and the retention measure. */
export interface Reading {
  readonly entry: Entry;
  readonly pieces: readonly Piece[];
}

export function readEntries(entries: readonly Entry[]): Reading[] {
  return entries.map((entry) => ({ entry, pieces: readPieces(entry) }));
}

function readPieces({ body }: Entry): Piece[] {
  if (body.kind !== 'message' || body.role === 'system') return [];
  const pieces: Piece[] = [];
  for (const part of body.parts) {
    const piece = readPart(part, body.role);
    if (piece) pieces.push(piece);
  }
  return pieces;
}

function readPart(part: Part, role: 'user' | 'assistant' | 'tool'): Piece | undefined {
  switch (part.type) {
    case 'text': {
      const text = bounded(textOf(part.text));
      if (role === 'tool') return { kind: 'result', id: '', tool: '', text, failed: false };
      if (role === 'assistant') return { kind: 'said', role, text };
      const handover = handoverWords(text);
      return handover === undefined
        ? { kind: 'said', role, text: userWords(text) }
        : { kind: 'said', role: 'assistant', text: handover };
    }
    case 'tool-call':
      return {
        kind: 'call',
        id: textOf(part.toolCallId),
        tool: toolName(part.toolName),
        input: readInput(part.input ?? part.args),
      };
    case 'tool-result':
      return readResult(part);
    default:
      return undefined;
  }
}

function readResult(part: Part): Piece {
  const output = part.output ?? part.result;
  const { type, value, reason } = fieldsOf(output) as { type?: unknown; value?: unknown; reason?: unknown };
  const kind = typeof type === 'string' ? type : '';
  const plain = value ?? reason ?? (kind ? '' : output);
  const whole = bounded(textOf(plain));
  const text = whole.replace(WRAPPER, '');
  const failed =
    kind.startsWith('error') || kind === 'execution-denied' || part.isError === true || saysError(plain);
  const exit = exitCodeOf(plain, whole);
  return {
    kind: 'result',
    id: textOf(part.toolCallId),
    tool: toolName(part.toolName),
    text,
    failed: failed || (exit !== undefined && exit !== 0),
    ...(exit !== undefined && { exit }),
  };
}

/** The lines that some agents put before the output of a command. */
const WRAPPER =
  /^(?:(?:Chunk ID|Wall time|Process exited with code|Original token count|Exit code|Total output lines|Script completed)\b[^\n]*\n)+(?:Output:\n)?/;

/** `mcp__files__read_file`, `functions.shell` and `Read` are the tools `read_file`, `shell` and `read`. */
function toolName(name: unknown): string {
  const text = typeof name === 'string' ? name.slice(0, 200) : '';
  return text.replace(/^(?:mcp__.+?__|functions\.|default_api[.:])/, '').toLowerCase();
}

/** Arguments come as an object, as JSON text, or as free text (a patch, a script). */
function readInput(input: unknown): unknown {
  const value = isBlobRef(input) ? input.preview : input;
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const TEXT_FIELDS = ['text', 'output', 'stdout', 'stderr', 'error', 'message', 'content', 'preview'] as const;

/** The text in a value: a string, a blob's preview, a list of text parts, or the fields that tools put text in. */
export function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || depth > 4) return '';
  if (isBlobRef(value)) return typeof value.preview === 'string' ? value.preview : '';
  if (Array.isArray(value)) {
    const lines: string[] = [];
    for (const item of value.slice(0, 200)) {
      const line = textOf(item, depth + 1);
      if (line) lines.push(line);
    }
    return lines.join('\n');
  }
  const fields = value as Record<string, unknown>;
  const told = TEXT_FIELDS.filter((field) => fields[field] !== undefined && fields[field] !== null);
  const names = told.length > 0 ? told : Object.keys(fields).slice(0, 60);
  const lines: string[] = [];
  for (const name of names) {
    const line = textOf(fields[name], depth + 1);
    if (line) lines.push(told.length > 0 ? line : `${name}: ${line}`);
  }
  return lines.join('\n');
}

function saysError(value: unknown): boolean {
  const { isError, is_error, status, error } = fieldsOf(value);
  return (
    isError === true || is_error === true || status === 'error' || (typeof error === 'string' && error !== '')
  );
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function bounded(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}
