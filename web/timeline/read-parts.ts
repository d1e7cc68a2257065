import { type ResultPiece, readPart } from '../../src/faces/rpc/client/index.ts';
import type { Part } from '../../src/record/index.ts';
import type { ShownMessage, ToolResult, ToolUse } from './shown.ts';

/** The result of every tool, by the id of its call. */
export function pairTools(messages: readonly ShownMessage[]): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const { id, parts } of messages)
    for (const piece of parts.map(readPart))
      if (piece.kind === 'result') results.set(String(piece.id), toResult(piece, id));
  return results;
}

/** The id of the call, if the part is one. */
export function callIdOf(part: Part): string[] {
  const piece = readPart(part);
  return piece.kind === 'call' ? [String(piece.id)] : [];
}

interface Said {
  /** True if there is anything to read besides tools. */
  readonly text: boolean;
  readonly uses: readonly ToolUse[];
  /** Results whose call is not there: it is on an older page, or the program that wrote them left it out. */
  readonly strays: readonly ToolUse[];
}

export function saidIn(
  { id: message, parts, role, status }: ShownMessage,
  results: ReadonlyMap<string, ToolResult>,
  called: ReadonlySet<string>,
): Said {
  const uses: ToolUse[] = [];
  const strays: ToolUse[] = [];
  for (const piece of parts.map(readPart)) {
    if (piece.kind !== 'call' && piece.kind !== 'result') continue;
    const { name = 'tool' } = piece;
    const id = String(piece.id);
    if (piece.kind === 'call') uses.push({ id, name, input: piece.input, message, result: results.get(id) });
    else if (!called.has(id))
      strays.push({ id, name, input: undefined, message, result: toResult(piece, message) });
  }
  const silent = parts.filter(isSaid).every((part) => isText(part) && textOf(part).trim() === '');
  const empty = silent && role !== 'tool' && uses.length === 0 && status === 'interrupted';
  return { text: !silent || empty, uses, strays };
}

function toResult({ output, failed }: ResultPiece, message: string): ToolResult {
  return { output: output ?? null, failed, message };
}

/** True if a part is shown as something said: tools have separate rows. */
export function isSaid(part: Part): boolean {
  return !['call', 'result', 'note'].includes(readPart(part).kind);
}

function isText(part: Part): boolean {
  return ['said', 'thought'].includes(readPart(part).kind);
}

/** The words of a part; of one that was too large for a page, its beginning. */
export function textOf(part: Part): string {
  const piece = readPart(part);
  if (piece.kind !== 'said' && piece.kind !== 'thought') return '';
  if (typeof piece.text === 'string') return piece.text;
  const kept = piece.text as { preview?: unknown } | null | undefined;
  return typeof kept?.preview === 'string' ? `${kept.preview}…` : '';
}

/** How many bytes of a value are not in it: references stand for large values. */
export function largeBytes(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  if ('$blob' in value) return Number((value as { bytes?: unknown }).bytes) || 1;
  return Object.values(value).reduce((sum: number, each) => sum + largeBytes(each), 0);
}

/** The text of a message, for copying. */
export function plainText({ parts }: ShownMessage): string {
  return parts
    .filter((part) => readPart(part).kind === 'said')
    .map(textOf)
    .join('\n\n');
}

/** Any value as a person reads it: text as it is, the rest as indented JSON. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return value;
  const kept = value as { preview?: unknown } | null | undefined;
  if (typeof kept?.preview === 'string' && '$blob' in (value as object)) return `${kept.preview}…`;
  return JSON.stringify(value, null, 2) ?? '';
}

/** One line that tells one call from another: the path, the command, the first word of the input. */
export function describeInput(input: unknown): string {
  if (typeof input === 'string') return firstLine(input);
  if (input === null || typeof input !== 'object') return '';
  const fields = input as Record<string, unknown>;
  const named = [
    'command',
    'path',
    'file_path',
    'filePath',
    'file',
    'pattern',
    'query',
    'url',
    'description',
  ];
  const found = named.map((name) => fields[name]).find((value) => typeof value === 'string');
  const any = found ?? Object.values(fields).find((value) => typeof value === 'string' && value !== '');
  return typeof any === 'string' ? firstLine(any) : '';
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]!.slice(0, 200);
}
