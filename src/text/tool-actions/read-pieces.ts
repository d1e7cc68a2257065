import { type Entry, isBlobRef, type Part } from '../../record/index.ts';
import { handoverWords, userWords, withoutAttached } from '../ledger/user-words.ts';
import { type ResultPiece, readPart } from '../read-part.ts';

/** One part of a message in the terms of the ledger. Reasoning, files and unknown parts have no piece. */
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

/** Text beyond this is data, not talk: only its beginning and its end are read, so that one paste cannot stall the ledger. */
const HEAD = 48_000;
const TAIL = 16_000;

/** What an agent thought in a message in which it said nothing. */
export function thoughtsIn({ body }: Entry): string {
  if (body.kind !== 'message' || body.role !== 'assistant') return '';
  return body.parts
    .flatMap((part) => {
      const piece = readPart(part);
      return piece.kind === 'thought' ? [pieceTextOf(piece.text)] : [];
    })
    .join('\n')
    .trim();
}

/** An entry with its pieces: read once, used by the ledger, the digest and the retention measure. */
export interface Reading {
  readonly entry: Entry;
  readonly pieces: readonly Piece[];
}

export function piecesOfEntries(entries: readonly Entry[]): Reading[] {
  return entries.map((entry) => ({ entry, pieces: readPieces(entry) }));
}

function readPieces({ body }: Entry): Piece[] {
  if (body.kind !== 'message' || body.role === 'system') return [];
  const pieces: Piece[] = [];
  for (const part of body.parts) {
    const piece = pieceOf(part, body.role);
    if (piece) pieces.push(piece);
  }
  return body.role === 'user' ? asWritten(pieces) : pieces;
}

/** A person's message without the files that a program attached to it. */
function asWritten(pieces: readonly Piece[]): Piece[] {
  const said = withoutAttached(pieces.map((piece) => (piece.kind === 'said' ? piece.text : '')));
  return pieces.map((piece, at) => (piece.kind === 'said' ? { ...piece, text: said[at]! } : piece));
}

function pieceOf(part: Part, role: 'user' | 'assistant' | 'tool'): Piece | undefined {
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      return spokenPiece(bounded(pieceTextOf(piece.text)), role);
    case 'call': {
      const { id = '', name = '', input } = piece;
      return { kind: 'call', id, tool: toolName(name), input: readInput(input) };
    }
    case 'result':
      return resultPiece(piece);
    default:
      return undefined;
  }
}

function spokenPiece(text: string, role: 'user' | 'assistant' | 'tool'): Piece {
  if (role === 'tool') return { kind: 'result', id: '', tool: '', text, failed: false };
  if (role === 'assistant') return { kind: 'said', role, text };
  const handover = handoverWords(text);
  return handover === undefined
    ? { kind: 'said', role, text: userWords(text) }
    : { kind: 'said', role: 'assistant', text: handover };
}

function resultPiece({ id = '', name = '', output, failed }: ResultPiece): Piece {
  const whole = bounded(pieceTextOf(output));
  const exit = exitCodeOf(output, whole);
  return {
    kind: 'result',
    id,
    tool: toolName(name),
    text: outputIn(whole).replace(WRAPPER, ''),
    failed: failed || saysError(output) || (exit !== undefined && exit !== 0),
    ...(exit !== undefined && { exit }),
  };
}

/** Some agents write what a command printed as JSON, beside its exit code. */
function outputIn(text: string): string {
  if (!/^\{"output":"/.test(text)) return text;
  try {
    return pieceTextOf(inputFieldsOf(JSON.parse(text)).output);
  } catch {
    return text;
  }
}

/** The lines that some agents put before the output of a command. */
const WRAPPER =
  /^(?:(?:Chunk ID|Wall time|Process exited with code|Original token count|Exit code|Total output lines|Script completed)\b[^\n]*\n)+(?:Output:\n)?/;

/** `mcp__files__read_file`, `functions.shell` and `Read` are the tools `read_file`, `shell` and `read`. */
function toolName(name: string): string {
  return name
    .slice(0, 200)
    .replace(/^(?:mcp__.+?__|functions\.|default_api[.:])/, '')
    .toLowerCase();
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
export function pieceTextOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || depth > 4) return '';
  if (isBlobRef(value)) return typeof value.preview === 'string' ? value.preview : '';
  if (Array.isArray(value)) {
    const lines: string[] = [];
    for (const item of value.slice(0, 200)) {
      const line = pieceTextOf(item, depth + 1);
      if (line) lines.push(line);
    }
    return lines.join('\n');
  }
  const fields = value as Record<string, unknown>;
  const known = TEXT_FIELDS.filter((field) => fields[field] !== undefined && fields[field] !== null);
  const names = known.length > 0 ? known : Object.keys(fields).slice(0, 60);
  const lines: string[] = [];
  for (const name of names) {
    const line = pieceTextOf(fields[name], depth + 1);
    if (line) lines.push(known.length > 0 ? line : `${name}: ${line}`);
  }
  return lines.join('\n');
}

function saysError(value: unknown): boolean {
  const { isError, is_error, status, error } = inputFieldsOf(value);
  return (
    isError === true || is_error === true || status === 'error' || (typeof error === 'string' && error !== '')
  );
}

export function inputFieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function bounded(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}

/** How shells and the agents around them tell the code: each at the start of a line. */
const TOLD =
  /^\s*(?:Exit code:?|exit code:?|Command exited with code|Process exited with code|Exit Code:|\[?exit status:?|exited with(?: code)?|Command failed with exit code:?)\s*(-?\d{1,3})\b/m;
const FIELDS = ['exitCode', 'exit_code', 'exit', 'returncode', 'code'] as const;

/** The exit code that a command's result tells, in a field or in its first or last lines; `undefined` when it does not. */
function exitCodeOf(value: unknown, text: string): number | undefined {
  return fromFields(value, 0) ?? fromText(text);
}

function fromFields(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as Record<string, unknown>;
  for (const field of FIELDS) {
    const code = fields[field];
    if (typeof code === 'number' && Number.isInteger(code) && Math.abs(code) < 1000) return code;
  }
  return depth < 1 ? (fromFields(fields.metadata, 1) ?? fromFields(fields.details, 1)) : undefined;
}

function fromText(text: string): number | undefined {
  if (text.length > 0 && text[0] === '{' && text.length < 200_000) {
    const inJson = /"(?:exit_?[cC]ode|exit)"\s*:\s*(-?\d{1,3})\b/.exec(text.slice(-400));
    if (inJson) return Number(inJson[1]);
  }
  const edges = text.length <= 1200 ? text : `${text.slice(0, 600)}\n${text.slice(-600)}`;
  const told = TOLD.exec(edges);
  return told ? Number(told[1]) : undefined;
}
