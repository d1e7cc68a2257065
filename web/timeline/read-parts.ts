import type { Part } from '../../src/record/index.ts';
import type { ShownMessage, ToolResult, ToolUse } from './shown.ts';

/** What every tool gave back, by the id of its call. */
export function pairTools(messages: readonly ShownMessage[]): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const { id, parts } of messages)
    for (const part of parts)
      if (part.type === 'tool-result') results.set(String(part.toolCallId), readResult(part, id));
  return results;
}

interface Said {
  /** Whether there is anything to read besides tools. */
  readonly text: boolean;
  readonly uses: readonly ToolUse[];
  /** Results whose call is not there: it was left out by whoever wrote them, or is on an older page. */
  readonly strays: readonly ToolUse[];
}

export function saidIn(
  { id, parts, role, status }: ShownMessage,
  results: ReadonlyMap<string, ToolResult>,
  called: ReadonlySet<string>,
): Said {
  const uses = parts.filter(({ type }) => type === 'tool-call').map((part) => readUse(part, id, results));
  const strays = parts
    .filter(({ type, toolCallId }) => type === 'tool-result' && !called.has(String(toolCallId)))
    .map((part): ToolUse => ({ ...readUse(part, id, results), result: readResult(part, id) }));
  const others = parts.filter(isSaid);
  const silent = others.every((part) => isText(part) && textOf(part).trim() === '');
  const empty = silent && role !== 'tool' && uses.length === 0 && status === 'interrupted';
  return { text: !silent || empty, uses, strays };
}

function readUse(part: Part, message: string, results: ReadonlyMap<string, ToolResult>): ToolUse {
  const id = String(part.toolCallId);
  return { id, name: String(part.toolName ?? 'tool'), input: part.input, message, result: results.get(id) };
}

function readResult(part: Part, message: string): ToolResult {
  const output = part.output as { type?: unknown; value?: unknown } | undefined;
  const kind = typeof output?.type === 'string' ? output.type : '';
  return {
    output: output?.value ?? output ?? null,
    failed: kind.startsWith('error') || kind === 'execution-denied',
    message,
  };
}

/** What a provider notes down for itself, and nobody said. */
const NOTES = ['custom', 'step-start'];

/** Whether a part is shown as something said: tools have rows of their own. */
export const isSaid = ({ type }: Part) =>
  type !== 'tool-call' && type !== 'tool-result' && !NOTES.includes(type);

export const isText = ({ type }: Part) => type === 'text' || type === 'reasoning';

/** The words of a part; of one that was too large for a page, its beginning. */
export function textOf(part: Part): string {
  if (typeof part.text === 'string') return part.text;
  const kept = part.text as { preview?: unknown } | undefined;
  return typeof kept?.preview === 'string' ? `${kept.preview}…` : '';
}

/** How many bytes of a value are not in it: references stand for what is too large. */
export function largeBytes(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  if ('$blob' in value) return Number((value as { bytes?: unknown }).bytes) || 1;
  return Object.values(value).reduce((sum: number, each) => sum + largeBytes(each), 0);
}

/** What somebody said, for copying. */
export function plainText({ parts }: ShownMessage): string {
  return parts
    .filter(({ type }) => type === 'text')
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
