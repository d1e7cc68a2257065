import {
  deriveEntryId,
  type Entry,
  type EntryBody,
  type Message,
  type NewEntry,
  newEntryId,
  type Part,
} from '../record/index.ts';
import { countMessage } from '../tokens/index.ts';

/** The fields of a message besides its text. */
export type MessageFields = Partial<Omit<Message, 'kind' | 'role' | 'parts'>>;

export interface Call {
  readonly name: string;
  readonly input?: unknown;
  /** Pairs the call with its result; made from the name when there is only one call of that name. */
  readonly id?: string;
}

export function system(text: string): Message {
  return message('system', [textPart(text)]);
}

/** A question: its text, or the parts of one that holds more than text. */
export function user(content: string | readonly Part[], fields: MessageFields = {}): Message {
  return message('user', typeof content === 'string' ? [textPart(content)] : content, fields);
}

/** An answer; `calls` are the tools it asks for, `reasoning` what it thought first. */
export function assistant(
  text: string,
  { calls = [], reasoning, ...fields }: MessageFields & { calls?: readonly Call[]; reasoning?: string } = {},
): Message {
  const thought = reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }];
  const said = text === '' && calls.length > 0 ? [] : [textPart(text)];
  return message('assistant', [...thought, ...said, ...calls.map(callPart)], fields);
}

/** An answer that is nothing but one tool call. */
export function toolCall(name: string, input: unknown = {}, { id }: { id?: string } = {}): Message {
  return assistant('', { calls: [{ name, input, ...(id !== undefined && { id }) }] });
}

/** What a tool gave back: text, or any JSON value. */
export function toolResult(
  name: string,
  output: unknown,
  { id = callId(name), failed = false }: { id?: string; failed?: boolean } = {},
): Message {
  const kind = typeof output === 'string' ? 'text' : 'json';
  const part = {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: failed ? `error-${kind}` : kind, value: output },
  };
  return message('tool', [part]);
}

function message(role: Message['role'], parts: readonly Part[], fields: MessageFields = {}): Message {
  return { kind: 'message', role, parts, ...fields };
}

function textPart(text: string): Part {
  return { type: 'text', text };
}

function callPart({ name, input = {}, id = callId(name) }: Call): Part {
  return { type: 'tool-call', toolCallId: id, toolName: name, input };
}

function callId(name: string): string {
  return `call_${name}`;
}

/** The bodies as a writer hands them in. They have ids, so appending the same conversation twice is a repeat. */
export function conversation(...bodies: readonly EntryBody[]): NewEntry[] {
  return bodies.map((body) => ({ id: newEntryId(), body }));
}

const START = Date.UTC(2025, 11, 30, 11, 21, 53);

/** The bodies as a log returns them: numbered from 1, a second apart, the same ids every time. For pure functions. */
export function logOf(...bodies: readonly EntryBody[]): Entry[] {
  return bodies.map((body, index) => ({
    id: deriveEntryId('log', String(index + 1)),
    seq: index + 1,
    at: START + index * 1000,
    tokens: tokensOf(body),
    body,
  }));
}

function tokensOf(body: EntryBody): number {
  if (body.kind === 'message') return countMessage(body);
  return body.kind === 'compaction' ? body.tokensAfter : 0;
}
