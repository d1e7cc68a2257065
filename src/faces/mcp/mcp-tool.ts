import { z } from 'zod';
import { type ErrorCode, isThroughlineError } from '../../errors.ts';
import { FilterFields } from '../../operations/search/index.ts';
import { parseSpan } from '../../search/index.ts';
import { getSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Library } from './library.ts';

/** What a tool works with. */
export interface ToolDesk {
  readonly library: Library;
  /** Where the client works: facts belong to the project of this folder, unless another one is named. */
  readonly folder: string;
  /** How the client calls itself. */
  readonly client: () => string | undefined;
}

export interface ToolAnswer {
  /** For the model. */
  readonly text: string;
  /** The same for programs. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Input;
  /** It changes something. */
  readonly writes?: true;
  readonly run: (input: z.infer<Input>, desk: ToolDesk) => Promise<ToolAnswer>;
}

/** Keeps the input's type with its schema. */
export function mcpTool<Input extends z.ZodObject>(tool: McpTool<Input>): McpTool {
  return tool as unknown as McpTool;
}

// Fields that several tools take, in the same words.

/** Titles are written by others and ids begin alike: a tool must not reach another session that fits as well. */
export const SESSION_ID = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'The whole id of a session, as "sessions" and hits show it; a title or the start of it is refused.',
  );

export const MAX_TOKENS = z
  .int()
  .min(100)
  .max(10_000)
  .optional()
  .describe('How long the answer may be; 2,000 tokens unless given.');
export const TOKENS = 2000;

/** The filters of a search, with sessions and times as a model writes them. */
export const FILTERS = FilterFields.omit({ sessionId: true, lineage: true }).extend({
  session: SESSION_ID.optional().describe(
    'Only what one sees in this session: its whole id, as "sessions" and hits show it.',
  ),
  since: z
    .string()
    .max(40)
    .optional()
    .describe('Only from this time on, as 2025-05-08 or 2025-05-08T14:00:00Z.'),
  until: z.string().max(40).optional().describe('Only up to this time; a day counts to its end.'),
});

export async function readFilters(
  store: Store,
  { session, since, until, ...fields }: z.output<typeof FILTERS>,
): Promise<z.input<typeof FilterFields>> {
  return {
    ...fields,
    ...(session !== undefined && { sessionId: (await getSession(store, session)).id }),
    ...parseSpan({ since, until }),
  };
}

interface ToolResult {
  [field: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: boolean;
}

export function toResult({ text, data }: ToolAnswer): ToolResult {
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
