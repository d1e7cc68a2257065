import { isBlobRef, type Part } from '../../record/index.ts';
import { dim, red } from '../terminal/paint.ts';
import { sayBytes } from '../terminal/say.ts';
import { cutText } from '../terminal/text-width.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';
import { shortBlob, shortValue } from './short-value.ts';

export interface RenderOptions {
  /** Columns for what is folded to one line. */
  readonly width: number;
  /** Unfold tool calls, results and reasoning; large values are in place then. */
  readonly full: boolean;
}

/** One part of a message for people: text as it is, everything else folded to a line unless `full`. */
export function renderPart(part: Part, options: RenderOptions): string {
  switch (part.type) {
    case 'text':
      return renderText(part);
    case 'reasoning':
      return fold('thinking:', part.text, { ...options, paint: dim });
    case 'tool-call':
      return fold(`→ ${nameOf(part)}`, part.input ?? part.args, { ...options, paint: dim });
    case 'tool-result':
      return renderResult(part, options);
    default:
      return renderOther(part, options);
  }
}

function renderText(part: Part): string {
  const text = isBlobRef(part) ? part : part.text;
  if (!isBlobRef(text)) return visibleText(typeof text === 'string' ? text : shortValue(text));
  return `${visibleText(text.preview)}… ${dim(`(${sayBytes(text.bytes)} in all; --full shows it)`)}`;
}

function renderResult(part: Part, options: RenderOptions): string {
  const output = part.output ?? part.result;
  const { type, value } = (output ?? {}) as { type?: unknown; value?: unknown };
  const failed = typeof type === 'string' && type.startsWith('error');
  const wrapped = typeof type === 'string' && value !== undefined;
  const label = `← ${nameOf(part)}${failed ? ' failed' : ''}`;
  return fold(label, wrapped ? value : output, { ...options, paint: failed ? red : dim });
}

/** Files, and whatever newer versions and hosts put into a message. */
function renderOther({ type, ...fields }: Part, options: RenderOptions): string {
  const { data, mediaType, filename, ...rest } = fields;
  if (data === undefined) return fold(`[${visibleLine(type)}]`, fields, { ...options, paint: dim });
  const words = [mediaType, filename].filter((word) => typeof word === 'string');
  const size =
    data instanceof Uint8Array ? sayBytes(data.byteLength) : isBlobRef(data) ? shortBlob(data) : '';
  const more = Object.keys(rest).length > 0 ? shortValue(rest) : '';
  const line = [`[${visibleLine(type)}]`, ...words.map(visibleLine), size, more].filter(Boolean).join(' ');
  return dim(cutText(line, options.width));
}

function nameOf({ toolName }: Part): string {
  return typeof toolName === 'string' ? visibleLine(toolName) : 'tool';
}

function fold(
  label: string,
  value: unknown,
  { width, full, paint }: RenderOptions & { paint: (text: string) => string },
): string {
  if (!full) return paint(cutText(`${label} ${shortValue(value)}`.trimEnd(), width));
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  const indented = visibleText(text).replace(/^/gm, '  ');
  return text === '' ? paint(label) : `${paint(label)}\n${indented}`;
}
