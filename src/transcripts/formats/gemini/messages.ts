import type { Message, Part } from '../../../record/index.ts';
import { countOf, fieldsOf, isFields, readTranscriptUsage, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';

export const GEMINI_FORMAT = 'gemini';

/** What a record says: a message, and the results of its tool calls as another one. `undefined` without an author. */
export function toMessages(record: Fields): { message: Message; results?: Message } | undefined {
  const { type } = record;
  if (type !== 'user' && type !== 'gemini') return undefined;
  const parts = contentParts(record.content);
  if (!parts) return undefined;
  if (type === 'user') return { message: { kind: 'message', role: 'user', parts, meta: restOf(record) } };
  const calls = (Array.isArray(record.toolCalls) ? record.toolCalls : []).filter(isFields);
  const usage = readUsage(fieldsOf(record.tokens));
  const message: Message = {
    kind: 'message',
    role: 'assistant',
    parts: [...thoughtParts(record.thoughts), ...parts.filter(hasText), ...calls.map(callPart)],
    ...(typeof record.model === 'string' && { model: `google:${record.model}` }),
    ...(usage && { usage }),
    meta: restOf(record),
  };
  const results = calls.flatMap(resultPart);
  return results.length === 0
    ? { message }
    : { message, results: { kind: 'message', role: 'tool', parts: results } };
}

/** Everything else that the record holds; what the parts say is not repeated. */
function restOf({ content: _, thoughts: __, toolCalls, ...rest }: Fields): Record<string, unknown> {
  const calls = (Array.isArray(toolCalls) ? toolCalls : []).map((call) => {
    const { args: _args, result: _result, ...more } = fieldsOf(call);
    return more;
  });
  return { [GEMINI_FORMAT]: calls.length > 0 ? { ...rest, toolCalls: calls } : rest };
}

function hasText({ type, text }: Part): boolean {
  return type !== 'text' || text !== '';
}

/** Content is a text, one part, or a list of parts. */
function contentParts(content: unknown): Part[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const list = Array.isArray(content) ? content : isFields(content) ? [content] : undefined;
  return list?.map((part): Part => {
    if (typeof part === 'string') return { type: 'text', text: part };
    const { text, inlineData } = fieldsOf(part);
    if (typeof text === 'string') return { type: 'text', text };
    const { data, mimeType } = fieldsOf(inlineData);
    if (typeof data === 'string' && typeof mimeType === 'string')
      return { type: 'file', mediaType: mimeType, data };
    return { type: GEMINI_FORMAT, block: part };
  });
}

function thoughtParts(thoughts: unknown): Part[] {
  return (Array.isArray(thoughts) ? thoughts : []).map(fieldsOf).map(({ subject, description }) => ({
    type: 'reasoning',
    text: [textOf(subject), textOf(description)].filter(Boolean).join('\n'),
  }));
}

function callPart({ id, name, args }: Fields): Part {
  return {
    type: 'tool-call',
    toolCallId: String(id),
    toolName: textOf(name) ?? 'unknown',
    input: args ?? {},
  };
}

function resultPart({ id, name, result, status, resultDisplay }: Fields): Part[] {
  if (result === undefined && status !== 'error' && status !== 'cancelled') return [];
  const failed = status === 'error' || status === 'cancelled';
  const value = responseOf(result) ?? resultDisplay ?? String(status ?? '');
  const kind = typeof value === 'string' ? 'text' : 'json';
  return [
    {
      type: 'tool-result',
      toolCallId: String(id),
      toolName: textOf(name) ?? 'unknown',
      output: { type: failed ? `error-${kind}` : kind, value },
    },
  ];
}

/** The answer of a tool stands in an envelope, as `output` or `error`. */
function responseOf(result: unknown): unknown {
  const list = Array.isArray(result) ? result : result === undefined || result === null ? [] : [result];
  const values = list.map((one) => {
    const { response } = fieldsOf(fieldsOf(one).functionResponse);
    const { output, error } = fieldsOf(response);
    return output ?? error ?? response ?? one;
  });
  return values.length > 1 ? values : values[0];
}

/** Thoughts are counted beside the output; ours are part of it. */
function readUsage({ input, output, cached, thoughts }: Fields): Message['usage'] {
  const reasoning = countOf(thoughts) ?? 0;
  return readTranscriptUsage({
    inputTokens: countOf(input),
    outputTokens: (countOf(output) ?? 0) + reasoning,
    reasoningTokens: reasoning,
    cacheReadTokens: countOf(cached),
  });
}
