import { type BlobRef, isBlobRef, textOrPreview } from '../record/index.ts';
import { type AnyPart, type FilePiece, type ResultPiece, readPart } from './read-part.ts';

/** The wording of each kind of piece. A kind without a wording is left out, except for the text of the message. */
export interface SayOptions {
  readonly thought?: (text: string) => string;
  readonly call?: (call: { readonly name: string; readonly input: string }) => string;
  readonly result?: (result: {
    readonly name: string;
    readonly output: string;
    readonly failed: boolean;
  }) => string;
  readonly file?: (file: FilePiece) => string;
  /** For parts of a type that this version does not know. */
  readonly other?: (type: string) => string;
  /** For a value that is not in place; its preview unless given. */
  readonly large?: (ref: BlobRef) => string;
  /** Between two parts; a line break unless given. */
  readonly separator?: string;
}

/** The words of a message, part by part. Parts without words leave no gap. */
export function sayMessage(
  { parts }: { readonly parts: readonly AnyPart[] },
  options: SayOptions = {},
): string {
  return parts
    .map((part) => sayPart(part, options))
    .filter((text) => text !== '')
    .join(options.separator ?? '\n');
}

export function sayPart(part: AnyPart, options: SayOptions = {}): string {
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      return sayText(piece.text, options);
    case 'thought':
      return options.thought?.(sayText(piece.text, options)) ?? '';
    case 'call': {
      const { name = 'tool', input } = piece;
      return options.call?.({ name, input: sayValue(input, options) }) ?? '';
    }
    case 'result': {
      const { name = 'tool', failed } = piece;
      return options.result?.({ name, output: sayOutput(piece, options), failed }) ?? '';
    }
    case 'file':
      return options.file?.(piece) ?? '';
    case 'other':
      return options.other?.(piece.type) ?? '';
    case 'note':
      return '';
  }
}

/** The output of a tool as text: parts are read like those of a message. */
export function sayOutput({ output, parts }: ResultPiece, options: SayOptions = {}): string {
  if (!parts) return sayValue(output, options);
  const named = { file: ({ type }: FilePiece) => `[${type}]`, other: (type: string) => `[${type}]` };
  return sayMessage({ parts }, { ...named, ...options, separator: '\n' });
}

/** A text field that holds anything but text has no words. */
function sayText(text: unknown, options: SayOptions): string {
  return textOrPreview(text) === '' ? '' : sayValue(text, options);
}

/** Any stored value as text: text as it is, everything else as JSON, with bytes by their size. */
export function sayValue(
  value: unknown,
  { large = ({ preview }) => preview }: { large?: ((ref: BlobRef) => string) | undefined } = {},
): string {
  if (typeof value === 'string') return value;
  if (isReference(value)) return large(value);
  const json = JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Uint8Array) return `(${inner.byteLength} bytes)`;
    return isReference(inner) ? large(inner) : inner;
  });
  return json ?? '';
}

/** Entries that were read whole can hold the objects of other programs under the same key. */
function isReference(value: unknown): value is BlobRef {
  return isBlobRef(value) && typeof value.preview === 'string' && typeof value.bytes === 'number';
}
