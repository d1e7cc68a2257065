import { isBlobRef, type Part } from '../../../record/index.ts';
import { type CallPiece, type FilePiece, type ResultPiece, readPart } from '../../../text/index.ts';
import { dim, red } from '../terminal/paint.ts';
import { sayBytes } from '../terminal/say.ts';
import { cutToWidth } from '../terminal/text-width.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';
import { shortBlob, shortValue } from './short-value.ts';

export interface RenderOptions {
  /** Columns of a folded line. */
  readonly width: number;
  /** Unfold tool calls, results and reasoning; large values are in place then. */
  readonly full: boolean;
}

/** One part of a message for people: text as it is, everything else folded to a line unless `full`. */
export function renderPart(part: Part, options: RenderOptions): string {
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      return renderText(piece.text);
    case 'thought':
      return fold('thinking:', piece.text, { ...options, paint: dim });
    case 'call':
      return fold(`→ ${nameOf(piece)}`, piece.input, { ...options, paint: dim });
    case 'result': {
      const label = `← ${nameOf(piece)}${piece.failed ? ' failed' : ''}`;
      return fold(label, piece.output, { ...options, paint: piece.failed ? red : dim });
    }
    case 'file':
      return renderFile(part, piece, options);
    default:
      return renderOther(part, options);
  }
}

function renderText(text: unknown): string {
  if (!isBlobRef(text)) return visibleText(typeof text === 'string' ? text : shortValue(text));
  return `${visibleText(text.preview)}… ${dim(`(${sayBytes(text.bytes)} in all; --full shows it)`)}`;
}

function renderFile(part: Part, { name, mediaType, data: bytes }: FilePiece, options: RenderOptions): string {
  if (bytes === undefined) return renderOther(part, options);
  const { type, data, image, mediaType: _type, filename, ...rest } = part;
  const words = [mediaType, name].filter((word) => word !== undefined);
  const size =
    bytes instanceof Uint8Array ? sayBytes(bytes.byteLength) : isBlobRef(bytes) ? shortBlob(bytes) : '';
  const more = Object.keys(rest).length > 0 ? shortValue(rest) : '';
  const line = [`[${visibleLine(type)}]`, ...words.map(visibleLine), size, more].filter(Boolean).join(' ');
  return dim(cutToWidth(line, options.width));
}

/** Parts that newer versions and hosts put into a message. */
function renderOther({ type, ...fields }: Part, options: RenderOptions): string {
  return fold(`[${visibleLine(type)}]`, fields, { ...options, paint: dim });
}

function nameOf({ name }: CallPiece | ResultPiece): string {
  return name === undefined ? 'tool' : visibleLine(name);
}

function fold(
  label: string,
  value: unknown,
  { width, full, paint }: RenderOptions & { paint: (text: string) => string },
): string {
  if (!full) return paint(cutToWidth(`${label} ${shortValue(value)}`.trimEnd(), width));
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  const indented = visibleText(text).replace(/^/gm, '  ');
  return text === '' ? paint(label) : `${paint(label)}\n${indented}`;
}
