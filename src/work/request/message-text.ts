import { isBlobRef, type Message, type Part } from '../../record/index.ts';

const LONGEST_VALUE = 400;

/** What a message says, as text. Tools are named with the beginning of what they were given and gave back. */
export function messageText({ parts }: Message): string {
  return parts
    .map(partText)
    .filter((text) => text.trim() !== '')
    .join('\n');
}

function partText(part: Part): string {
  if (part.type === 'text') return textOf(part.text);
  if (part.type === 'tool-call') return `[${String(part.toolName)} ${shorten(part.input)}]`;
  if (part.type === 'tool-result')
    return `[${String(part.toolName)} gave ${shorten(givenBack(part.output))}]`;
  return part.type === 'file' ? '[a file]' : '';
}

function givenBack(output: unknown): unknown {
  return typeof output === 'object' && output !== null && 'value' in output ? output.value : output;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  return isBlobRef(value) ? String((value as { preview?: unknown }).preview ?? '') : '';
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const points = [...text.slice(0, LONGEST_VALUE * 2)];
  const cut =
    points.length > LONGEST_VALUE
      ? `${points.slice(0, LONGEST_VALUE).join('')}…`
      : text.slice(0, LONGEST_VALUE * 2);
  return cut.toWellFormed();
}
