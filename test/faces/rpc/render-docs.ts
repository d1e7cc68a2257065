import { jsonSchema } from '../../../src/faces/rpc/describe-interface.ts';
import { METHODS, NOTIFICATIONS } from '../../../src/faces/rpc/index.ts';
import { nameOfBody } from '../../../src/operations/index.ts';
import { ENTRY_KINDS } from '../../../src/record/index.ts';

interface Schema {
  readonly type?: string | string[];
  readonly $ref?: string;
  readonly $defs?: Record<string, Schema>;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The part of docs/rpc.md that is made from the schemas: every method, then every notification. */
export function renderDocs(): string {
  const methods = Object.entries(METHODS).map(([name, { summary, params, result, ...rest }]) =>
    [
      `### ${name}`,
      '',
      `${summary}${'writes' in rest ? ' Writes.' : ''}`,
      '',
      ...table('Parameter', jsonSchema(params, 'input') as Schema),
      ...table('Result', jsonSchema(result, 'output') as Schema),
    ].join('\n'),
  );
  const notifications = Object.entries(NOTIFICATIONS).map(([name, { summary, params }]) =>
    [`### ${name}`, '', summary, '', ...table('Field', jsonSchema(params, 'output') as Schema)].join('\n'),
  );
  return ['## Methods', ...methods, '## Notifications', ...notifications, '## Records', ...records()]
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** What several results are made of. */
function records(): string[] {
  const found = new Map<string, Schema>();
  const schemas = [
    ...Object.values(METHODS).map(({ result }) => result),
    ...Object.values(NOTIFICATIONS).map(({ params }) => params),
  ];
  for (const schema of schemas)
    for (const [name, record] of Object.entries((jsonSchema(schema, 'output') as Schema).$defs ?? {}))
      found.set(name, record);
  return [...found].sort().map(([name, record]) => {
    const kinds = record.oneOf ?? record.anyOf;
    const about = [...aboutKind(name), ...(record.description ? [record.description, ''] : [])];
    const body = kinds ? [...new Set(kinds.flatMap(describeKinds))] : table('Field', record);
    return [`### ${name}`, '', ...about, ...body].join('\n');
  });
}

/** What the fields of a kind mean is said once, where the log is described. */
function aboutKind(name: string): string[] {
  if (name === 'EntryBody') return ['What an entry holds, by its `kind`:', ''];
  const kind = ['unknown', ...ENTRY_KINDS].find((one) => nameOfBody(one) === name);
  if (kind === undefined) return [];
  const anchor = kind === 'unknown' ? 'unknown-kinds' : kind;
  return [`An entry of kind \`${kind}\`: [what it means](format.md#${anchor}).`, ''];
}

/** One line for each kind that a record can be: what tells it apart, and its fields. */
function describeKinds(schema: Schema): string[] {
  const inner = schema.oneOf ?? schema.anyOf;
  if (inner) return inner.flatMap(describeKinds);
  if (schema.$ref) return [`- ${typeOf(schema)}`];
  const { properties = {}, required = [] } = schema;
  const telling = ['step', 'type', 'kind'].filter((name) => name in properties)[0];
  const fields = Object.entries(properties).filter(([name]) => name !== telling && name !== 'kind');
  const shown = fields.map(
    ([name, field]) => `\`${name}\`${required.includes(name) ? '' : '?'} (${typeOf(field)})`,
  );
  const { const: only, enum: some } = properties[telling!]!;
  const name = only ?? some?.join('`, `') ?? 'any other';
  return [`- \`${String(name)}\`${shown.length > 0 ? `: ${shown.join(', ')}` : ''}`];
}

/** The bounds that a value is held to, in words. */
function limitsOf(schema: Schema): string[] {
  const { maxLength, maxItems, minimum, maximum } = schema;
  const inner = (schema.anyOf ?? schema.oneOf ?? []).flatMap(limitsOf);
  const most = (count: number) => count.toLocaleString('en');
  return [
    ...(maxLength === undefined ? [] : [`At most ${most(maxLength)} characters.`]),
    ...(maxItems === undefined ? [] : [`At most ${most(maxItems)} of them.`]),
    ...(maximum === undefined || maximum >= 1e15 ? [] : [`${most(minimum ?? 0)} to ${most(maximum)}.`]),
    ...inner,
  ];
}

function table(title: string, schema: Schema): string[] {
  const rows = rowsOf(schema, title === 'Parameter');
  if (rows.length === 0)
    return title === 'Parameter' ? ['No parameters.', ''] : [`${title}: ${typeOf(schema)}.`, ''];
  return [`| ${title} | Type | |`, '|---|---|---|', ...rows, ''];
}

/** Fields, and those of a record one level down where the result is one field. */
function rowsOf(schema: Schema, isInput: boolean, prefix = ''): string[] {
  const target = schema.type === 'array' && schema.items?.properties ? schema.items : schema;
  const named = schema.type === 'array' && schema.items?.properties ? `${prefix}[].` : prefix;
  return Object.entries(target.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = target.required?.includes(name) ?? false;
    const notes = [
      ...(isInput && isRequired && field.default === undefined ? ['Required.'] : []),
      ...(!isInput && !isRequired ? ['Not always there.'] : []),
      ...(field.default === undefined ? [] : [`Default: \`${JSON.stringify(field.default)}\`.`]),
      ...(isInput ? limitsOf(field) : []),
      ...(field.description ? [field.description] : []),
    ];
    const row = `| \`${named}${name}\` | ${typeOf(field)} | ${notes.join(' ').replaceAll('|', '\\|').replaceAll('\n', ' ')} |`;
    const inner =
      isInput || named.split('.').length > 2
        ? []
        : rowsOf(field, isInput, `${named}${name}${field.type === 'array' ? '' : '.'}`);
    return [row, ...(isRecord(field) && !prefix ? inner : [])];
  });
}

function isRecord({ type, properties, items }: Schema): boolean {
  return (
    (type === 'object' && properties !== undefined) || (type === 'array' && items?.properties !== undefined)
  );
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (schema.type === 'integer') return 'number';
  return [schema.type ?? 'anything'].flat().join(' or ');
}
