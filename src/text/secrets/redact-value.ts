import { isUtf8 } from 'node:buffer';
import { SHORTEST_SECRET } from './find-secrets.ts';

interface RedactValueOptions {
  readonly redact: (text: string) => Promise<string>;
  /** Texts that are shorter than this have no secrets. */
  readonly shortest?: number;
}

/** What says how the rest is to be read; other words there would make something else of it. */
const STRUCTURE = new Set([
  'kind',
  'role',
  'type',
  'id',
  'toolCallId',
  '$blob',
  'as',
  'mark',
  'entry',
  'entries',
  'status',
]);

/** Values below these belong to others: an `id` in there may well be a key. */
const FOREIGN = new Set(['input', 'output', 'value', 'meta', 'content', 'settings', 'providerOptions']);

/** A value with the secrets of all its texts taken out: in lists, in fields, in their names, in bytes that are text. */
export function redactValue(
  value: unknown,
  { redact, shortest = SHORTEST_SECRET }: RedactValueOptions,
): Promise<unknown> {
  return redactAny(value, { redact, shortest, foreign: false });
}

interface Redacting extends Required<RedactValueOptions> {
  readonly foreign: boolean;
}

async function redactAny(value: unknown, redacting: Redacting): Promise<unknown> {
  const { redact, shortest, foreign } = redacting;
  if (typeof value === 'string') return value.length < shortest ? value : redact(value);
  if (value instanceof Uint8Array) return new Uint8Array(await redactText(Buffer.from(value), redact));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => redactAny(item, redacting)));
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const known = !foreign && STRUCTURE.has(name) && typeof field === 'string';
    const below = FOREIGN.has(name) ? { ...redacting, foreign: true } : redacting;
    fields.push([await redact(name), known ? field : await redactField(name, field, below)]);
  }
  return Object.fromEntries(fields);
}

/** A name such as "password" gives its value away, which does not look like a secret alone. */
async function redactField(name: string, field: unknown, redacting: Redacting): Promise<unknown> {
  const { redact, shortest } = redacting;
  if (typeof field !== 'string' || field.length < shortest) return redactAny(field, redacting);
  if (name === 'data' || name === 'image') return redactData(field, redact);
  const label = `${name}: `;
  const redacted = await redact(label + field);
  return redacted.startsWith(label) ? redacted.slice(label.length) : redact(field);
}

const BASE64 = /^(data:[^,]{0,100};base64,)?([A-Za-z0-9+/]{8,}={0,2})$/;

/** A text that was attached as a file. */
async function redactData(data: string, redact: (text: string) => Promise<string>): Promise<string> {
  const [, prefix = '', encoded] = BASE64.exec(data) ?? [];
  if (encoded === undefined) return redact(data);
  const bytes = Buffer.from(encoded, 'base64');
  const redacted = await redactText(bytes, redact);
  return redacted === bytes ? data : prefix + Buffer.from(redacted).toString('base64');
}

async function redactText(bytes: Buffer, redact: (text: string) => Promise<string>): Promise<Uint8Array> {
  if (!isUtf8(bytes)) return bytes;
  const text = bytes.toString('utf8');
  const redacted = await redact(text);
  return redacted === text ? bytes : Buffer.from(redacted);
}
