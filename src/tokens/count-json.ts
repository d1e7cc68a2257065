import { countBlob, isBlobRef } from './count-blob.ts';
import { estimateText } from './scan-text.ts';

// A JSON value counts as the text it is sent as, without making that text. Quotes, colons, commas and brackets merge with
// their neighbours, so each sort of value has one price for the marks around it. Fitted to o200k on tool calls, API
// answers and configuration files.
const MEMBER = 1.8;
const STRING = 0.8;
const NUMBER = 1.1;
const LITERAL = 1.2;
const LIST = 0.6;
const OBJECT = 0.5;
const ESCAPE = 0.55;

/** Tokens of a value as JSON text, unrounded. Anything that JSON leaves out counts nothing. */
export function estimateJson(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING + estimateText(value) + ESCAPE * countEscapes(value);
    case 'number':
    case 'bigint':
      return NUMBER + estimateText(String(value));
    case 'boolean':
      return LITERAL;
    case 'object':
      return value === null ? LITERAL : estimateObject(value);
    default:
      return 0;
  }
}

function estimateObject(value: object): number {
  if (isBlobRef(value)) return STRING + countBlob(value);
  if (ArrayBuffer.isView(value)) return LIST + value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + estimateJson(item), LIST);
  if ('toJSON' in value && typeof value.toJSON === 'function') return estimateJson(value.toJSON());
  let sum = OBJECT;
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined && typeof field !== 'function')
      sum += MEMBER + estimateText(key) + estimateJson(field);
  }
  return sum;
}

function countEscapes(text: string): number {
  let escapes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c) escapes++;
  }
  return escapes;
}
