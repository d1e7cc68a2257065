import type { Message, Part } from '../../../record/index.ts';
import { fieldsOf, isFields, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';

export const CHATGPT_FORMAT = 'chatgpt';

/** `undefined` for records without an author: hidden, empty or unknown messages. */
export function toChatGptMessage(
  message: Fields,
  { id, caller }: { id: string; caller: string | undefined },
): Message | undefined {
  const { content, author, recipient, metadata } = message;
  const role = fieldsOf(author).role;
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'tool') return undefined;
  const hidden = fieldsOf(metadata).is_visually_hidden_from_conversation === true;
  const parts = contentParts(fieldsOf(content));
  if (hidden || parts.length === 0) return undefined;
  const { content: _, ...rest } = message;
  const facts = { kind: 'message' as const, meta: { [CHATGPT_FORMAT]: rest } };
  if (role === 'tool') return { ...facts, role, parts: [resultPart(parts, { author, caller })] };
  const tool =
    role === 'assistant' && typeof recipient === 'string' && recipient !== 'all' ? recipient : undefined;
  const model = textOf(fieldsOf(metadata).model_slug);
  return {
    ...facts,
    role,
    parts: tool === undefined ? parts : [callPart(parts, { id, tool })],
    ...(role === 'assistant' && model && { model: `openai:${model}` }),
  };
}

/** Calls have no id: a call is known by the message it stands in, its answer follows it. */
function callPart(parts: readonly Part[], { id, tool }: { id: string; tool: string }): Part {
  return { type: 'tool-call', toolCallId: id, toolName: tool, input: { input: textsOf(parts) } };
}

function resultPart(
  parts: readonly Part[],
  { author, caller }: { author: unknown; caller: string | undefined },
): Part {
  return {
    type: 'tool-result',
    toolCallId: caller ?? 'unknown',
    toolName: textOf(fieldsOf(author).name) ?? 'unknown',
    output: { type: 'text', value: textsOf(parts) },
  };
}

function textsOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text }) => textOf(text) ?? []).join('\n');
}

function contentParts(content: Fields): Part[] {
  const { content_type, parts, text, thoughts, result } = content;
  if (content_type === 'thoughts' && Array.isArray(thoughts))
    return thoughts.map(fieldsOf).map(({ summary, content: words }) => ({
      type: 'reasoning',
      text: [textOf(summary), textOf(words)].filter(Boolean).join('\n'),
    }));
  if (content_type === 'reasoning_recap' && typeof content.content === 'string')
    return [{ type: 'reasoning', text: content.content }];
  if (Array.isArray(parts)) return parts.flatMap(partOf);
  const words = textOf(text) ?? textOf(result);
  return words ? [{ type: 'text', text: words }] : [];
}

function partOf(part: unknown): Part[] {
  if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', text: part }];
  if (!isFields(part)) return [];
  if (typeof part.text === 'string') return [{ type: 'text', text: part.text }];
  const pointer = textOf(part.asset_pointer);
  return pointer
    ? [{ type: 'file', mediaType: 'image', data: { type: 'url', url: pointer } }]
    : [{ type: CHATGPT_FORMAT, part }];
}
