import { type Entry, isBlobRef, type Part, summaryIn } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';

/** What an entry says, as text for a model. Large values that are not in place are known by their preview. */
export function entryText({ body }: Entry): string {
  const summary = summaryIn(body);
  if (summary) return renderSummary(summary);
  if (body.kind !== 'message') return valueText(body);
  return body.parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return valueText(part.text);
    case 'reasoning':
      return '';
    case 'tool-call':
      return `(calls ${part.toolName} with ${valueText(part.input)})`;
    case 'tool-result':
      return outputText(part);
    default: {
      const names = [part.filename, part.mediaType].filter((name) => typeof name === 'string');
      return `(${[part.type, ...names].join(' ')})`;
    }
  }
}

function outputText({ toolName, output }: Part): string {
  const { type, value } = (output ?? {}) as { type?: unknown; value?: unknown };
  const wrapped = typeof type === 'string' && value !== undefined;
  const failed = typeof type === 'string' && type.startsWith('error') ? ' failed' : '';
  return `(${toolName}${failed}) ${contentText(wrapped ? value : output)}`;
}

/** A result that is made of parts is read like a message. */
function contentText(value: unknown): string {
  if (!Array.isArray(value) || !value.every((item) => typeof item?.type === 'string'))
    return valueText(value);
  return value.map((item) => partText(item as Part)).join('\n');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isBlobRef(value)) return `${value.preview} […] (${value.bytes} bytes in all)`;
  return JSON.stringify(value, bytesBySize) ?? '';
}

function bytesBySize(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `(${value.byteLength} bytes)` : value;
}
