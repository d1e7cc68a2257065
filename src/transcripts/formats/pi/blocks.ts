import type { Part } from '../../../record/index.ts';
import { ownFields, readOwnFields } from '../../parts/own-fields.ts';
import { isFields } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';

export const PI_FORMAT = 'pi';

/** Content blocks and parts, one for one. `signer` is who signs thoughts: only its own service can use a signature. */
export function toPiPart(block: unknown, { signer }: { signer?: string | undefined } = {}): Part {
  if (!isFields(block)) return wrapped(block);
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? textPart(block) : wrapped(block);
    case 'thinking':
      return typeof block.thinking === 'string' ? thinkingPart(block, signer) : wrapped(block);
    case 'toolCall':
      return typeof block.id === 'string' && typeof block.name === 'string'
        ? callPart(block)
        : wrapped(block);
    case 'image':
      return typeof block.data === 'string' && typeof block.mimeType === 'string'
        ? imagePart(block)
        : wrapped(block);
    default:
      return wrapped(block);
  }
}

export function toPiBlock(part: Part): unknown {
  const extra = readOwnFields(PI_FORMAT, part.providerOptions);
  const { signature, redactedData } = readOwnFields('anthropic', part.providerOptions);
  switch (part.type) {
    case PI_FORMAT:
      return part.block;
    case 'text':
      return { type: 'text', text: part.text, ...extra };
    case 'reasoning': {
      const thinkingSignature = signature ?? redactedData;
      const signed = thinkingSignature === undefined ? {} : { thinkingSignature };
      return { type: 'thinking', thinking: part.text, ...signed, ...extra };
    }
    case 'tool-call': {
      const input = 'input' in part ? { arguments: part.input } : {};
      return { type: 'toolCall', id: part.toolCallId, name: part.toolName, ...input, ...extra };
    }
    case 'file':
      return { type: 'image', data: part.data, mimeType: part.mediaType, ...extra };
    default:
      return undefined;
  }
}

function wrapped(block: unknown): Part {
  return { type: PI_FORMAT, block };
}

function textPart({ type: _, text, ...extra }: Fields): Part {
  return { type: 'text', text, ...ownFields(PI_FORMAT, extra) };
}

function thinkingPart({ type: _, thinking, ...rest }: Fields, signer: string | undefined): Part {
  const { thinkingSignature, ...extra } = rest;
  if (signer !== 'anthropic' || typeof thinkingSignature !== 'string')
    return { type: 'reasoning', text: thinking, ...ownFields(PI_FORMAT, rest) };
  const proof = extra.redacted === true ? 'redactedData' : 'signature';
  return {
    type: 'reasoning',
    text: thinking,
    ...ownFields(PI_FORMAT, extra, { anthropic: { [proof]: thinkingSignature } }),
  };
}

function callPart({ type: _, id, name, arguments: input, ...extra }: Fields): Part {
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    ...(input !== undefined && { input }),
    ...ownFields(PI_FORMAT, extra),
  };
}

function imagePart({ type: _, data, mimeType, ...extra }: Fields): Part {
  return { type: 'file', mediaType: mimeType, data, ...ownFields(PI_FORMAT, extra) };
}
