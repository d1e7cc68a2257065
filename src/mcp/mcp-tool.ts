import type { z } from 'zod';
import type { Library } from './library.ts';

/** What a tool works with. */
export interface Desk {
  readonly library: Library;
  /** Where the client works: facts belong to the project of this folder, unless another one is named. */
  readonly folder: string;
  /** How the client calls itself. */
  readonly client: () => string | undefined;
}

export interface Answer {
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
  readonly run: (input: z.infer<Input>, desk: Desk) => Promise<Answer>;
}

/** Keeps the input's type with its schema. */
export function mcpTool<Input extends z.ZodObject>(tool: McpTool<Input>): McpTool {
  return tool as unknown as McpTool;
}
