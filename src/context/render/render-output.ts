import { type Entry, isRef } from '../../record/index.ts';
import { isMedia } from '../../text/index.ts';
import { plainValue, previewOf } from './plain-value.ts';
import { renderMedia } from './render-media.ts';

/** What a tool gave back, in the AI SDK's form: loose enough to hold what came from other programs. */
export interface Output {
  readonly type: string;
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

const NO_OUTPUT = '(no output)';

/** The output as a provider takes it, never empty. The same object if nothing had to change. */
export function renderOutput(output: unknown, entry: Entry): Output {
  if (isRef(output)) return { type: 'text', value: previewOf(output, entry) };
  if (typeof output === 'string') return { type: 'text', value: shown(output) };
  if (output === undefined || output === null) return { type: 'text', value: NO_OUTPUT };
  if (!isOutput(output)) return { type: 'json', value: plainValue(output, entry) };
  switch (output.type) {
    case 'text':
    case 'error-text':
      return renderText(output, entry);
    case 'json':
    case 'error-json':
      return renderJson(output, entry);
    case 'content':
      return renderContent(output, entry);
    case 'execution-denied':
      return typeof output.reason === 'string' || output.reason === undefined
        ? (plainValue(output, entry) as Output)
        : { type: 'execution-denied' };
    default:
      return { type: 'json', value: plainValue(output, entry) };
  }
}

function renderText(output: Output, entry: Entry): Output {
  const value =
    typeof output.value === 'string'
      ? shown(output.value)
      : isRef(output.value)
        ? previewOf(output.value, entry)
        : shown(JSON.stringify(plainValue(output.value ?? '', entry)));
  return value === output.value ? output : { ...output, value };
}

function renderJson(output: Output, entry: Entry): Output {
  if (isRef(output.value)) {
    const { type, value } = output;
    return { type: type === 'json' ? 'text' : 'error-text', value: previewOf(value, entry) };
  }
  const value = output.value === undefined ? null : plainValue(output.value, entry);
  return value === output.value ? output : { ...output, value };
}

function renderContent(output: Output, entry: Entry): Output {
  if (isRef(output.value)) return { type: 'text', value: previewOf(output.value, entry) };
  if (!Array.isArray(output.value)) return { type: 'json', value: plainValue(output.value ?? null, entry) };
  const list = output.value as readonly unknown[];
  const items = list.flatMap((item) => renderItem(item, entry));
  if (items.length === 0) return { type: 'text', value: NO_OUTPUT };
  return items.length === list.length && items.every((item, index) => item === list[index])
    ? output
    : { ...output, value: items };
}

function renderItem(item: unknown, entry: Entry): unknown[] {
  if (!isOutput(item)) return [];
  if (item.type === 'text') {
    const text = isRef(item.text) ? previewOf(item.text, entry) : item.text;
    if (typeof text !== 'string' || text.trim() === '') return [];
    return [text === item.text && text.isWellFormed() ? item : { ...item, text: text.toWellFormed() }];
  }
  if (isMedia(item)) return [renderMedia(item, entry)];
  if (item.type === 'media') return [renderMedia({ ...item, type: 'file-data' }, entry)];
  if (item.type === 'custom') return [plainValue(item, entry)];
  return [{ type: 'text', text: JSON.stringify(plainValue(item, entry)) }];
}

function shown(text: string): string {
  return text === '' ? NO_OUTPUT : text.toWellFormed();
}

function isOutput(value: unknown): value is Output {
  return typeof value === 'object' && value !== null && typeof (value as Output).type === 'string';
}
