import type { JSONSchema7, Schema, ToolSet } from 'ai';
import { z } from 'zod';
import type { ContextTool } from '../../context/index.ts';
import { ThroughlineError } from '../../errors.ts';
import type { AgentTool } from './agent-tool.ts';

export interface OfferedTools {
  /** For the AI SDK, without `execute`: running them is ours, so that each is written down before and after. */
  set(): Promise<ToolSet>;
  /** For counting, in the order they are sent. */
  readonly listed: readonly ContextTool[];
  /** Why this input does not do for this tool, or nothing. */
  check(tool: string, input: unknown): Promise<string | undefined>;
}

type Checked = { success: true; value: unknown } | { success: false; error: Error };

/** What a tool takes: as the model gets it, and as a call is checked. */
interface ToolInput {
  readonly json: JSONSchema7;
  validate?(value: unknown): Checked | PromiseLike<Checked>;
}

/**
 * The descriptions of tools for the model. A context is counted with them without the AI SDK, which takes longer to load than
 * all else that `throughline context` does.
 */
export async function offerTools(tools: Readonly<Record<string, AgentTool>>): Promise<OfferedTools> {
  const inputs = new Map<string, ToolInput>();
  for (const [name, tool] of Object.entries(tools)) {
    if (typeof tool !== 'object' || tool === null) throw noTool(name, tool);
    const { type, inputSchema } = tool;
    if (type !== 'provider') inputs.set(name, await readInput(name, inputSchema));
  }
  return {
    async set() {
      const { jsonSchema } = await import('ai');
      const set: ToolSet = {};
      for (const [name, tool] of Object.entries(tools)) {
        const { execute: _, needsApproval: __, repeatable: ___, toModelOutput: ____, ...told } = tool;
        const input = inputs.get(name);
        set[name] = {
          ...told,
          ...(input && { inputSchema: jsonSchema(input.json, input) }),
        } as ToolSet[string];
      }
      return set;
    },
    listed: Object.entries(tools).map(([name, { description }]) => {
      const input = inputs.get(name);
      if (!input) return { name };
      return { name, ...(typeof description === 'string' && { description }), inputSchema: input.json };
    }),
    async check(name, input) {
      const checked = await inputs.get(name)?.validate?.(input);
      return checked?.success === false ? checked.error.message : undefined;
    },
  };
}

async function readInput(tool: string, schema: unknown): Promise<ToolInput> {
  if (schema == null) return { json: { type: 'object', properties: {}, additionalProperties: false } };
  if (isPlainSchema(schema)) return { json: schema, validate: validator(schema) };
  if (isOwnObject(schema))
    return { json: describeObject(schema), validate: (value) => parseInput(schema, value) };
  const { asSchema } = await import('ai');
  const taken = asSchema(takenSchema(tool, schema)) as Schema<unknown>;
  return { json: await taken.jsonSchema, ...(taken.validate && { validate: taken.validate }) };
}

/** Of this very zod: one of another version is read by the AI SDK, whose zod is that of the tool. */
function isOwnObject(schema: unknown): schema is z.ZodObject {
  return (
    typeof schema === 'object' && schema !== null && Object.getPrototypeOf(schema) === z.ZodObject.prototype
  );
}

/** As the AI SDK describes it. Objects are closed, also where zod would let more through. */
function describeObject(schema: z.ZodObject): JSONSchema7 {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      const { type, additionalProperties } = jsonSchema;
      if (type === 'object' && typeof additionalProperties !== 'object')
        jsonSchema.additionalProperties = false;
    },
  }) as JSONSchema7;
}

async function parseInput(schema: z.ZodObject, value: unknown): Promise<Checked> {
  const { success, data, error } = await schema.safeParseAsync(value);
  return success ? { success, value: data } : { success, error };
}

/** Agents in a separate folder can import nothing, so a schema may be written out. */
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
  if (typeof schema === 'function' || typeof schema === 'object') return schema as Schema<unknown>;
  throw new ThroughlineError(
    'usage',
    `The tool "${tool}" has no schema for its input: "inputSchema" is ${JSON.stringify(schema)}. Give a zod schema, a JSON schema, or none for a tool without input.`,
    { details: { tool } },
  );
}

function noTool(name: string, tool: unknown): ThroughlineError {
  return new ThroughlineError(
    'usage',
    `The tool "${name}" is ${String(tool)}. Give { description, inputSchema, execute }.`,
    { details: { tool: name } },
  );
}

function validator(schema: Record<string, unknown>): (value: unknown) => Checked {
  const parsed = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  return (value) => {
    const result = parsed.safeParse(value);
    return result.success
      ? { success: true, value }
      : { success: false, error: new Error(z.prettifyError(result.error)) };
  };
}
