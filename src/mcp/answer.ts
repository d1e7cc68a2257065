import { type ErrorCode, isThroughlineError } from '../errors.ts';
import type { Answer } from './mcp-tool.ts';

export interface ToolResult {
  [field: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
}

export function toResult({ text, data }: Answer): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data } };
}

/** Where an agent finds what a person would find on the command line. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  'session-not-found': 'The tool "sessions" lists them, and finds them by their titles with "find".',
  'project-moved':
    'A person has to say "throughline projects link" with its id, or "throughline projects add", in the folder.',
  'fact-not-found': 'The resource throughline://memory lists them.',
};

/**
 * A failure that the agent can act on: the code is the same word as everywhere, the message says what to do. Unforeseen errors
 * are reported by their first line; where it happened is nothing for a model.
 */
export function toFailure(error: unknown): ToolResult {
  const known = isThroughlineError(error) ? error : undefined;
  const code = known?.code ?? 'unexpected';
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const hint = known && HINTS[known.code];
  const message = [known?.message ?? line, ...(hint ? [hint] : [])].join(' ');
  return {
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { error: { code, message, ...(known && { details: known.details }) } },
    isError: true,
  };
}
