// The one place that knows the types of message parts by name, for every reader of words. It imports only types, so that
// the web app can run it too.
import type { Part } from '../record/index.ts';

/** One part of a message, independent of the program that wrote it. Values are as stored: large ones may be references. */
type MessagePiece =
  | { readonly kind: 'said' | 'thought'; readonly text: unknown }
  | CallPiece
  | ResultPiece
  | FilePiece
  /** Notes that a provider keeps for itself; they are never shown as words. */
  | { readonly kind: 'note'; readonly type: string }
  | { readonly kind: 'other'; readonly type: string };

export interface CallPiece {
  readonly kind: 'call';
  /** Pairs the call with its result. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly input: unknown;
  /** The provider ran the tool, so the result stands in the same message. */
  readonly byProvider: boolean;
}

export interface ResultPiece {
  readonly kind: 'result';
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The output without its frame; of a denied call, a sentence with the reason. */
  readonly output: unknown;
  /** The output again, if it is made of parts like a message. */
  readonly parts: readonly Part[] | undefined;
  readonly failed: boolean;
}

export interface FilePiece {
  readonly kind: 'file';
  readonly type: string;
  readonly name: string | undefined;
  readonly mediaType: string | undefined;
  readonly data: unknown;
}

/** Images and other files that a message or the output of a tool can send to a model. */
const MEDIA = new Set([
  'file',
  'image',
  'file-data',
  'file-url',
  'file-id',
  'file-reference',
  'image-data',
  'image-url',
  'image-file-id',
  'image-file-reference',
]);
const OTHER_FILES = new Set(['media', 'reasoning-file']);
const NOTES = new Set(['custom', 'step-start']);

export function isMedia({ type }: AnyPart): boolean {
  return MEDIA.has(type);
}

/** A part of the record, of a request or of the AI SDK, which have their own types for the fields. */
export type AnyPart = Part | { readonly type: string };

/**
 * True for a part of an answer that is a summary by the provider of what it was sent. Anthropic's comes as text, so only what
 * the provider says about the part tells it from the answer.
 */
export function isNativeSummary(typed: AnyPart): boolean {
  const { type, kind, providerOptions, providerMetadata } = typed as Part;
  if (type === 'custom') return kind === 'openai.compaction';
  if (type !== 'text' || (providerOptions === undefined && providerMetadata === undefined)) return false;
  return [providerOptions, providerMetadata].some(
    (options) =>
      (options as { anthropic?: { type?: unknown } } | undefined)?.anthropic?.type === 'compaction',
  );
}

/** True for the frame of a streamed answer: the SDK hands it on, and never sends it. */
export function isStreamFrame(typed: AnyPart): boolean {
  const { type, kind } = typed as Part;
  return type === 'custom' && typeof kind === 'string' && kind.endsWith('.message_start');
}

export function readPart(typed: AnyPart): MessagePiece {
  const part = typed as Part;
  const { type } = part;
  if (isNativeSummary(part)) return { kind: 'note', type };
  if (type === 'text') return { kind: 'said', text: textIn(part) };
  if (type === 'tool-call') return readCall(part);
  if (type === 'tool-result') return readResult(part);
  if (type.endsWith('reasoning')) return { kind: 'thought', text: textIn(part) };
  if (MEDIA.has(type) || OTHER_FILES.has(type)) return readFile(part);
  return { kind: NOTES.has(type) ? 'note' : 'other', type };
}

/** A text can be set aside with the whole part around it. */
function textIn(part: Part): unknown {
  return Object.hasOwn(part, '$blob') ? part : part.text;
}

function readCall(part: Part): CallPiece {
  return {
    kind: 'call',
    id: idOf(part),
    name: textField(part.toolName),
    input: part.input === undefined ? part.args : part.input,
    byProvider: part.providerExecuted === true,
  };
}

function readResult(part: Part): ResultPiece {
  const framed = part.output === undefined ? part.result : part.output;
  const fields = (typeof framed === 'object' && framed !== null ? framed : {}) as Record<string, unknown>;
  const form = textField(fields.type) ?? '';
  const denied = form === 'execution-denied';
  const isFrame = form !== '' && fields.value !== undefined && !Object.hasOwn(fields, '$blob');
  return {
    kind: 'result',
    id: idOf(part),
    name: textField(part.toolName),
    output: denied ? sayDenial(fields.reason) : isFrame ? fields.value : framed,
    parts: form === 'content' && Array.isArray(fields.value) ? fields.value.map(toPart) : undefined,
    failed: denied || form.startsWith('error') || part.isError === true,
  };
}

function sayDenial(reason: unknown): string {
  return typeof reason === 'string' && reason !== '' ? `Denied: ${reason}.` : 'Denied.';
}

function toPart(item: unknown): Part {
  const isPart = typeof (item as { type?: unknown } | null)?.type === 'string';
  return isPart ? (item as Part) : { type: 'text', text: item };
}

function readFile(part: Part): FilePiece {
  return {
    kind: 'file',
    type: part.type,
    name: textField(part.filename),
    mediaType: textField(part.mediaType),
    data: part.image ?? part.data,
  };
}

function idOf({ toolCallId }: Part): string | undefined {
  return typeof toolCallId === 'number' ? String(toolCallId) : textField(toolCallId);
}

function textField(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
