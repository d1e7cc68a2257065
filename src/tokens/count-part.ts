import { countBlob, isBlobPart } from './count-blob.ts';
import { countFile } from './count-file.ts';
import type { ImageProvider } from './count-image.ts';
import { countText, estimateText } from './scan-text.ts';

/** An AI SDK message part, or any part that comes after them. Every field may be a reference to a blob. */
interface CountablePart {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface CountOptions {
  /** Counts pictures by this provider's rule instead of the most expensive one. */
  readonly provider?: ImageProvider | undefined;
}

/** What a provider writes around a call and around its result. */
const TOOL_FRAME = 8;

/** Tokens that one part takes in a request. Provider options and ids are not sent as text and count nothing. */
export function countPart(part: CountablePart, { provider }: CountOptions = {}): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return countValue(part.text, provider);
    case 'file':
    case 'file-data':
    case 'reasoning-file':
      return countFile({ data: part.data, mediaType: mediaTypeOf(part) }, provider);
    case 'image':
      return countFile({ data: part.image, mediaType: mediaTypeOf(part, 'image') }, provider);
    case 'image-data':
      return countFile({ data: part.data, mediaType: mediaTypeOf(part, 'image') }, provider);
    case 'image-url':
    case 'image-file-id':
    case 'image-file-reference':
      return countFile({ data: undefined, mediaType: 'image' }, provider);
    case 'file-url':
    case 'file-id':
    case 'file-reference':
      return countFile({ data: undefined, mediaType: mediaTypeOf(part) }, provider);
    case 'tool-call':
      return TOOL_FRAME + Math.ceil(estimateText(nameOf(part)) + estimateJson(part.input));
    case 'tool-result':
      return TOOL_FRAME + countText(nameOf(part)) + countOutput(part.output, provider);
    case 'custom':
      return isHeader(part) ? 0 : (countSealed(part) ?? Math.ceil(estimateJson(part)));
    default:
      return Math.ceil(estimateJson(part));
  }
}

/** What a stream of a provider begins with: the SDK hands it on, and never sends it. */
function isHeader({ kind }: CountablePart): boolean {
  return typeof kind === 'string' && kind.endsWith('.message_start');
}

/** Bytes of text in a token, about. */
const TOKEN_BYTES = 4;

/** A summary that OpenAI has sealed: base64 of a text that only its servers read. */
function countSealed({ kind, providerOptions }: CountablePart): number | undefined {
  if (kind !== 'openai.compaction') return undefined;
  const own = Object.values((providerOptions ?? {}) as Record<string, { encryptedContent?: unknown }>);
  const sealed = own.map((options) => options?.encryptedContent).find((value) => typeof value === 'string');
  return sealed === undefined ? undefined : TOOL_FRAME + Math.ceil((sealed.length * 3) / 4 / TOKEN_BYTES);
}

/** The output of a tool: `{ type: 'text' | 'json' | 'content' | …, value }`. */
function countOutput(output: unknown, provider: ImageProvider | undefined): number {
  if (typeof output !== 'object' || output === null || isBlobPart(output))
    return countValue(output, provider);
  const { type, value, reason } = output as Record<string, unknown>;
  switch (type) {
    case 'text':
    case 'error-text':
      return countValue(value, provider);
    case 'execution-denied':
      return TOOL_FRAME + (reason === undefined ? 0 : countValue(reason, provider));
    case 'content':
      if (!Array.isArray(value)) return countValue(value, provider);
      return value.reduce((sum: number, item: unknown) => sum + countItem(item, provider), 0);
    default:
      return countValue(value ?? output, provider);
  }
}

function countItem(item: unknown, provider: ImageProvider | undefined): number {
  const part = typeof item === 'object' && item !== null && 'type' in item && typeof item.type === 'string';
  return part ? countPart(item as CountablePart, { provider }) : countValue(item, provider);
}

/** Text as it is, anything else as JSON. */
function countValue(value: unknown, provider: ImageProvider | undefined): number {
  if (typeof value === 'string') return countText(value);
  return isBlobPart(value) ? countBlob(value, provider) : Math.ceil(estimateJson(value));
}

function nameOf({ toolName }: CountablePart): string {
  return typeof toolName === 'string' ? toolName : '';
}

function mediaTypeOf({ mediaType }: CountablePart, otherwise?: string): string | undefined {
  return typeof mediaType === 'string' ? mediaType : otherwise;
}

interface CountableMessage {
  readonly role: string;
  readonly parts: readonly CountablePart[];
}

/** The role and the marks between messages. */
const MESSAGE_FRAME = 4;

/** Tokens that a message takes in a request, its own frame included. */
export function countMessage({ parts }: CountableMessage, options: CountOptions = {}): number {
  return parts.reduce((sum, part) => sum + countPart(part, options), MESSAGE_FRAME);
}

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
function estimateJson(value: unknown): number {
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
  if (isBlobPart(value)) return STRING + countBlob(value);
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
