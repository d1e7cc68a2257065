import type { Part } from '../../../record/index.ts';
import { ownFields, readOwnFields } from '../../parts/own-fields.ts';
import { fieldsOf, isFields } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';

// Content blocks and message parts, one for one, so that a message can be turned back into exactly the blocks it came from.
// What a part has no field for stands in its providerOptions under our name for the format; a block that is not understood is
// a separate part that holds it whole.

const OWN = 'claude-code';

/** What a result is called whose call is not there. */
export const UNNAMED = 'unknown';

export function toClaudePart(block: unknown, nameOf: (callId: string) => string | undefined): Part {
  if (!isFields(block)) return wrapped(block);
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? textPart(block) : wrapped(block);
    case 'thinking':
      return typeof block.thinking === 'string' ? thinkingPart(block) : wrapped(block);
    case 'redacted_thinking':
      return typeof block.data === 'string' ? redactedPart(block) : wrapped(block);
    case 'tool_use':
      return typeof block.id === 'string' && typeof block.name === 'string'
        ? callPart(block)
        : wrapped(block);
    case 'tool_result':
      return typeof block.tool_use_id === 'string' ? resultPart(block, nameOf) : wrapped(block);
    case 'image':
    case 'document':
      return filePart(block) ?? wrapped(block);
    default:
      return wrapped(block);
  }
}

export function toClaudeBlock(part: Part): unknown {
  const extra = readOwnFields(OWN, part.providerOptions);
  const anthropic = readOwnFields('anthropic', part.providerOptions);
  switch (part.type) {
    case OWN:
      return part.block;
    case 'text':
      return { type: 'text', text: part.text, ...extra };
    case 'reasoning':
      return 'redactedData' in anthropic
        ? { type: 'redacted_thinking', data: anthropic.redactedData, ...extra }
        : { type: 'thinking', thinking: part.text, ...anthropic, ...extra };
    case 'tool-call':
      return { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.input, ...extra };
    case 'tool-result':
      return {
        type: 'tool_result',
        tool_use_id: part.toolCallId,
        ...contentOf(fieldsOf(part.output)),
        ...extra,
      };
    case 'file':
      return { type: extra.type, source: sourceOf(part), ...fieldsOf(extra.more) };
    default:
      return undefined;
  }
}

function wrapped(block: unknown): Part {
  return { type: OWN, block };
}

function textPart({ type: _, text, ...extra }: Fields): Part {
  return { type: 'text', text, ...ownFields(OWN, extra) };
}

/** The signature is where the AI SDK looks for it, so that the same model can be sent its thoughts again. */
function thinkingPart({ type: _, thinking, signature, ...extra }: Fields): Part {
  const signed = signature === undefined ? {} : { anthropic: { signature } };
  return { type: 'reasoning', text: thinking, ...ownFields(OWN, extra, signed) };
}

function redactedPart({ type: _, data, ...extra }: Fields): Part {
  return { type: 'reasoning', text: '', ...ownFields(OWN, extra, { anthropic: { redactedData: data } }) };
}

function callPart({ type: _, id, name, input, ...extra }: Fields): Part {
  const toolInput = input === undefined ? {} : { input };
  return { type: 'tool-call', toolCallId: id, toolName: name, ...toolInput, ...ownFields(OWN, extra) };
}

function resultPart(
  { type: _, tool_use_id, content, is_error, ...extra }: Fields,
  nameOf: (callId: string) => string | undefined,
): Part {
  const callId = tool_use_id as string;
  const failed = is_error === undefined ? {} : { is_error };
  return {
    type: 'tool-result',
    toolCallId: callId,
    toolName: nameOf(callId) ?? UNNAMED,
    output: toOutput(content, is_error === true),
    ...(is_error === true && { isError: true }),
    ...ownFields(OWN, { ...failed, ...extra }),
  };
}

function toOutput(content: unknown, failed: boolean): Fields {
  if (typeof content === 'string') return { type: failed ? 'error-text' : 'text', value: content };
  if (content === undefined) return { type: failed ? 'error-text' : 'text' };
  if (!Array.isArray(content)) return { type: failed ? 'error-json' : 'json', value: content };
  return { type: 'content', value: content.map((block) => toClaudePart(block, () => undefined)) };
}

function contentOf({ type, value }: Fields): Fields {
  if (value === undefined) return {};
  return type === 'content' && Array.isArray(value)
    ? { content: value.map(toClaudeBlock) }
    : { content: value };
}

function filePart({ type, source, ...more }: Fields): Part | undefined {
  const { type: how, media_type, data, url, ...rest } = fieldsOf(source);
  if (Object.keys(rest).length > 0) return undefined;
  const kept = Object.keys(more).length > 0 ? { more } : {};
  const file = { type: 'file', ...ownFields(OWN, { type, ...kept }) };
  if (how === 'base64' && typeof data === 'string' && typeof media_type === 'string' && url === undefined)
    return { ...file, mediaType: media_type, data };
  if (how === 'url' && typeof url === 'string' && data === undefined && media_type === undefined) {
    const mediaType = type === 'image' ? 'image' : 'application/pdf';
    return { ...file, mediaType, data: { type: 'url', url } };
  }
  return undefined;
}

function sourceOf({ data, mediaType }: Part): Fields {
  return isFields(data) && data.type === 'url'
    ? { type: 'url', url: data.url }
    : { type: 'base64', media_type: mediaType, data };
}
