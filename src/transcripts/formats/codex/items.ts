import type { Part } from '../../../record/index.ts';
import { ownFields, readOwnFields } from '../../parts/own-fields.ts';
import { fieldsOf, isFields, textOf } from '../../source/fields.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';

export const CODEX_FORMAT = 'codex';

/** An item as parts, and its rest: enough to make it whole again from its parts. */
export interface Split {
  readonly parts: readonly Part[];
  readonly rest: Fields;
}

/** `undefined` for an item that is not understood. */
export function splitItem(item: Fields, nameOf: (callId: string) => string | undefined): Split | undefined {
  switch (item.type) {
    case 'message':
      return splitMessage(item);
    case 'reasoning':
      return splitReasoning(item);
    case 'function_call':
      return typeof item.call_id === 'string' ? splitCall(item, 'arguments') : undefined;
    case 'custom_tool_call':
      return typeof item.call_id === 'string' ? splitCall(item, 'input') : undefined;
    case 'local_shell_call':
      return typeof item.call_id === 'string' ? splitCall(item, 'action') : undefined;
    case 'function_call_output':
    case 'custom_tool_call_output':
      return typeof item.call_id === 'string' ? splitOutput(item, nameOf(item.call_id)) : undefined;
    default:
      return undefined;
  }
}

/** The item again; takes its parts off the front of the list. */
export function joinItem(rest: Fields, parts: Part[]): Fields {
  switch (rest.type) {
    case 'message':
      return { ...rest, content: parts.splice(0, Number(rest.content)).map(toContent) };
    case 'reasoning':
      return joinReasoning(rest, parts.shift());
    case 'function_call':
      return { ...rest, arguments: argumentsOf(parts.shift()) };
    case 'custom_tool_call':
      return { ...rest, input: parts.shift()?.input };
    case 'local_shell_call':
      return { ...rest, action: parts.shift()?.input };
    default:
      return { ...rest, output: fieldsOf(parts.shift()?.output).value };
  }
}

function splitMessage(item: Fields): Split | undefined {
  const { content } = item;
  if (!Array.isArray(content)) return undefined;
  return { parts: content.map(toPart), rest: { ...item, content: content.length } };
}

function toPart(block: unknown): Part {
  if (!isFields(block)) return { type: CODEX_FORMAT, block };
  const { type, text, image_url, ...extra } = block;
  const isText = type === 'input_text' || type === 'output_text' || type === 'text';
  if (isText && typeof text === 'string' && image_url === undefined)
    return { type: 'text', text, ...ownFields(CODEX_FORMAT, { ...extra, type }) };
  if (type === 'input_image' && typeof image_url === 'string' && text === undefined) {
    const mediaType = /^data:([^;,]+)/.exec(image_url)?.[1] ?? 'image';
    return { type: 'file', mediaType, data: image_url, ...ownFields(CODEX_FORMAT, extra) };
  }
  return { type: CODEX_FORMAT, block };
}

function toContent(part: Part): unknown {
  if (part.type === CODEX_FORMAT) return part.block;
  const { type, ...extra } = readOwnFields(CODEX_FORMAT, part.providerOptions);
  return part.type === 'file'
    ? { type: 'input_image', image_url: part.data, ...extra }
    : { type: type ?? 'output_text', text: part.text, ...extra };
}

/** The encrypted thought goes where the AI SDK looks for it; its readable summary is the text. */
function splitReasoning(item: Fields): Split {
  const { summary, content, encrypted_content, id } = item;
  const blocks = [summary, content].flatMap((list) => (Array.isArray(list) ? list : []));
  const text = blocks.flatMap((block) => textOf(fieldsOf(block).text) ?? []).join('\n\n');
  const sealed = typeof encrypted_content === 'string';
  const openai = {
    ...(typeof id === 'string' && { itemId: id }),
    ...(sealed && { reasoningEncryptedContent: encrypted_content }),
  };
  return {
    parts: [
      {
        type: 'reasoning',
        text,
        ...ownFields(CODEX_FORMAT, {}, Object.keys(openai).length > 0 ? { openai } : {}),
      },
    ],
    rest: sealed ? { ...item, encrypted_content: true } : item,
  };
}

function joinReasoning(rest: Fields, part: Part | undefined): Fields {
  const { reasoningEncryptedContent } = readOwnFields('openai', part?.providerOptions);
  return reasoningEncryptedContent === undefined
    ? rest
    : { ...rest, encrypted_content: reasoningEncryptedContent };
}

function splitCall(item: Fields, field: string): Split {
  const { call_id, name, [field]: given } = item;
  const parsed = field === 'arguments' && typeof given === 'string' ? parseObject(given) : undefined;
  // Arguments are JSON in a text; the text itself is kept only where it is not how we would write it.
  const exact = parsed === undefined || JSON.stringify(parsed) === given;
  const part: Part = {
    type: 'tool-call',
    toolCallId: call_id,
    toolName: textOf(name) ?? (field === 'action' ? 'local_shell' : 'unknown'),
    input: parsed ?? given ?? null,
    ...ownFields(CODEX_FORMAT, exact ? {} : { arguments: given }),
  };
  return { parts: [part], rest: { ...item, [field]: true } };
}

function argumentsOf(part: Part | undefined): unknown {
  const { arguments: exact } = readOwnFields(CODEX_FORMAT, part?.providerOptions);
  const input = part?.input;
  return exact ?? (typeof input === 'object' && input !== null ? JSON.stringify(input) : input);
}

function splitOutput(item: Fields, name: string | undefined): Split {
  const { call_id, output } = item;
  const type = typeof output === 'string' ? 'text' : 'json';
  const part: Part = {
    type: 'tool-result',
    toolCallId: call_id,
    toolName: name ?? 'unknown',
    output: { type, ...(output !== undefined && { value: output }) },
  };
  return { parts: [part], rest: { ...item, ...(output !== undefined && { output: true }) } };
}
