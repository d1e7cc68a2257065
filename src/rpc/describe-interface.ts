import { z } from 'zod';
import { METHODS, type Method, NOTIFICATIONS } from './methods/index.ts';

type Interface = { openrpc: string } & Record<string, unknown>;

const made = new Map<string, Interface>();

/** The OpenRPC document: made of the same schemas that every call is checked with. */
export function describeInterface(version: string): Interface {
  const known = made.get(version) ?? makeDocument(version);
  made.set(version, known);
  return known;
}

function makeDocument(version: string): Interface {
  const schemas: Record<string, unknown> = {};
  const shared = (schema: z.ZodType, io: 'input' | 'output') => {
    const { $defs = {}, ...rest } = jsonSchema(schema, io);
    Object.assign(schemas, $defs);
    return rest;
  };
  const document = {
    openrpc: '1.3.2',
    info: { title: 'Throughline', version: version || '0.0.0', license: { name: 'MIT' } },
    methods: Object.entries(METHODS).map(([name, { summary, params, result }]: [string, Method]) => ({
      name,
      summary,
      paramStructure: 'by-name',
      params: paramsIn(shared(params, 'input')),
      result: { name: 'result', schema: shared(result, 'output') },
    })),
    'x-notifications': Object.entries(NOTIFICATIONS).map(([name, { summary, params }]) => ({
      name,
      summary,
      params: shared(params, 'output'),
    })),
    components: { schemas },
  };
  // Records are described once, where OpenRPC has them.
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/')) as Interface;
}

function paramsIn({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }));
}

export interface JsonSchema {
  readonly properties?: Record<string, unknown>;
  readonly required?: readonly string[];
  readonly $defs?: Record<string, unknown>;
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}
