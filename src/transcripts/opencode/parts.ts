import type { Part } from '../../record/index.ts';
import { fieldsOf, textOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';

export const FORMAT = 'opencode';

/** A part that is not understood, whole. */
export function otherPart(part: Fields): Part {
  return { type: FORMAT, part };
}

/** What an answer says and calls for; the results of its tools stand in a separate message. */
export function answerParts(parts: readonly Fields[]): Part[] {
  return parts.map((part): Part => {
    switch (part.type) {
      case 'text':
        return typeof part.text === 'string' ? { type: 'text', text: part.text } : otherPart(part);
      case 'reasoning':
        return typeof part.text === 'string' ? reasoningPart(part) : otherPart(part);
      case 'tool':
        return callPart(part);
      default:
        return otherPart(part);
    }
  });
}

function reasoningPart({ text, metadata }: Fields): Part {
  const options = fieldsOf(metadata);
  return { type: 'reasoning', text, ...(Object.keys(options).length > 0 && { providerOptions: options }) };
}

function callPart(part: Fields): Part {
  const { callID, tool, state } = part;
  return {
    type: 'tool-call',
    toolCallId: textOf(callID) ?? String(part.id),
    toolName: textOf(tool) ?? 'unknown',
    input: fieldsOf(state).input ?? {},
  };
}

/** Only calls that are over have a result; one may still be running, or never have ended. */
export function resultParts(parts: readonly Fields[]): Part[] {
  return parts.flatMap((part): Part[] => {
    const { status, output, error, metadata, title } = fieldsOf(part.state);
    if (part.type !== 'tool' || (status !== 'completed' && status !== 'error')) return [];
    const failed = status === 'error';
    return [
      {
        type: 'tool-result',
        toolCallId: textOf(part.callID) ?? String(part.id),
        toolName: textOf(part.tool) ?? 'unknown',
        output: { type: failed ? 'error-text' : 'text', value: textOf(failed ? error : output) ?? '' },
        providerOptions: { [FORMAT]: { ...(title !== undefined && { title }), metadata: metadata ?? null } },
      },
    ];
  });
}
