import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../errors.ts';
import { HostSettings } from '../../operations/index.ts';
import { Json, Part } from '../../record/index.ts';
import { numberOf } from './error-codes.ts';
import { EXAMPLES } from './methods/examples.ts';
import { METHODS, type Method } from './methods/index.ts';
import { NOTIFICATIONS } from './methods/notifications.ts';

type Described = 'name' | 'summary' | 'params' | 'result' | 'writes' | 'fails';
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
    servers: [{ name: 'Where a server listens unless it is told otherwise', url: DEFAULT_ADDRESS }],
    methods: Object.values<Pick<Method, Described>>(METHODS).map(({ name, ...method }) => ({
      name,
      summary: method.summary,
      paramStructure: 'by-name',
      params: paramsIn(shared(method.params, 'input')),
      result: { name: 'result', schema: shared(method.result, 'output') },
      errors: errorsOf(method).map((code) => ({ $ref: `#/components/errors/${code}` })),
      ...examplesOf(name),
    })),
    'x-notifications': Object.entries(NOTIFICATIONS).map(([name, { summary, params }]) => ({
      name,
      summary,
      params: shared(params, 'output'),
    })),
    components: { schemas, errors: Object.fromEntries(ERROR_CODES.map((code) => [code, errorFor(code)])) },
  };
  // Records are described once, where OpenRPC has them.
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/')) as Interface;
}

/** Of a server that is started without a port. */
export const DEFAULT_PORT = 7341;
const DEFAULT_ADDRESS = `http://127.0.0.1:${DEFAULT_PORT}/rpc`;

/** Every error has a number, and the word that tells it apart. */
function errorFor(code: ErrorCode) {
  return { code: numberOf(code), message: code, data: { code } };
}

/** Those that follow from what a method takes, and those that its work is known to end with. */
export function errorsOf({
  params,
  writes,
  fails = [],
}: Pick<Method, 'params' | 'writes' | 'fails'>): ErrorCode[] {
  const named = SESSION_FIELDS.some((field) => Object.hasOwn(params.shape, field));
  // A project that may be left out narrows a list, or is a label.
  const project: z.ZodType | undefined = params.shape.project;
  const inProject = project !== undefined && !project.safeParse(undefined).success;
  return [
    'usage',
    ...(writes ? (['access-denied'] as const) : []),
    ...(named ? (['session-not-found', 'session-gone'] as const) : []),
    ...(inProject ? (['project-not-found', 'project-ambiguous'] as const) : []),
    ...fails,
  ];
}

const SESSION_FIELDS = ['sessionId', 'chatSessionId', 'storageSessionId'];

function examplesOf(method: string) {
  const examples = EXAMPLES.filter((one) => one.method === method).map(({ name, params, result }) => ({
    name,
    params: Object.entries(params).map(([param, value]) => ({ name: param, value })),
    result: { name: 'result', value: result },
  }));
  return examples.length > 0 ? { examples } : {};
}

function paramsIn({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }));
}

interface JsonSchema {
  readonly properties?: Record<string, unknown>;
  readonly required?: readonly string[];
  readonly $defs?: Record<string, unknown>;
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: made }) {
      const instead = INSTEAD.get(zodSchema as unknown as z.ZodType);
      if (!instead) return;
      for (const key of Object.keys(made)) delete made[key];
      Object.assign(made, instead);
    },
  });
  return inlineNameless(rest as JsonSchema);
}

/** The log takes any part and any JSON; this text is all there is about them. */
const INSTEAD = new Map<z.ZodType, object>([
  [Part, { $ref: '#/$defs/Part' }],
  [Json, { description: 'Any JSON value.' }],
  [
    HostSettings,
    {
      type: 'object',
      propertyNames: { type: 'string', minLength: 1, maxLength: 200 },
      additionalProperties: {},
    },
  ],
]);

/** A schema that refers to itself gets a name by its place, which would mean another schema in the next document. */
function inlineNameless({ $defs = {}, ...schema }: JsonSchema): JsonSchema {
  const nameless = Object.keys($defs).filter((name) => name.startsWith('__'));
  const named = Object.fromEntries(Object.entries($defs).filter(([name]) => !nameless.includes(name)));
  let text = JSON.stringify({ ...schema, ...(Object.keys(named).length > 0 && { $defs: named }) });
  for (const name of nameless)
    text = text.replaceAll(`{"$ref":"#/$defs/${name}"}`, () => JSON.stringify($defs[name]));
  return JSON.parse(text) as JsonSchema;
}
