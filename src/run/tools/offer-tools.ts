import type { Schema, ToolSet } from 'ai';
import { z } from 'zod';
import type { ContextTool } from '../../context/index.ts';
import { ThroughlineError } from '../../errors.ts';
import type { AgentTool } from './agent-tool.ts';

export interface OfferedTools {
  /** For the AI SDK, without `execute`: running them is ours, so that each is written down before and after. */
  readonly set: ToolSet;
  /** For counting, in the order they are sent. */
  readonly listed: readonly ContextTool[];
  /** Why this input does not do for this tool, or nothing. */
  check(tool: string, input: unknown): Promise<string | undefined>;
}

/** What the model is told about the tools it has. */
export async function offerTools(tools: Readonly<Record<string, AgentTool>>): Promise<OfferedTools> {
  const { asSchema, jsonSchema } = await import('ai');
  const schemas = new Map<string, Schema<unknown>>();
  const set: ToolSet = {};
  const listed: ContextTool[] = [];
  for (const [name, tool] of Object.entries(tools)) {
    const { execute: _, needsApproval: __, repeatable: ___, toModelOutput: ____, ...told } = tool;
    if (tool.type === 'provider') {
      set[name] = told as ToolSet[string];
      listed.push({ name });
      continue;
    }
    const schema = isPlainSchema(tool.inputSchema)
      ? jsonSchema<unknown>(tool.inputSchema, { validate: validator(tool.inputSchema) })
      : (asSchema(takenSchema(name, tool.inputSchema)) as Schema<unknown>);
    schemas.set(name, schema);
    set[name] = { ...told, inputSchema: schema } as ToolSet[string];
    listed.push({
      name,
      ...(typeof tool.description === 'string' && { description: tool.description }),
      inputSchema: await schema.jsonSchema,
    });
  }
  return {
    set,
    listed,
    async check(name, input) {
      const checked = await schemas.get(name)?.validate?.(input);
      return checked?.success === false ? checked.error.message : undefined;
    },
  };
}

/** Agents in a folder of their own can import nothing, so a schema may be written out. */
function isPlainSchema(schema: unknown): schema is Record<string, unknown> {
  if (typeof schema !== 'object' || schema === null) return false;
  return (
    Object.getPrototypeOf(schema) === Object.prototype &&
    Object.hasOwn(schema, 'type') &&
    !('~standard' in schema)
  );
}

/** A schema is an object, or a function that makes one; a tool without one takes no input. */
function takenSchema(tool: string, schema: unknown): Schema<unknown> {
  if (schema == null || typeof schema === 'function' || typeof schema === 'object')
    return schema as Schema<unknown>;
  throw new ThroughlineError(
    'usage',
    `The tool "${tool}" has no schema for its input: "inputSchema" is ${JSON.stringify(schema)}. Give a zod schema, a JSON schema, or none for a tool without input.`,
    { details: { tool } },
  );
}

type Checked = { success: true; value: unknown } | { success: false; error: Error };

function validator(schema: Record<string, unknown>): (value: unknown) => Checked {
  const parsed = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  return (value) => {
    const result = parsed.safeParse(value);
    return result.success
      ? { success: true, value }
      : { success: false, error: new Error(z.prettifyError(result.error)) };
  };
}
