import type { Part } from '../../record/index.ts';
import { readPart, sayOutput } from '../../text/index.ts';
import { isFields } from '../source/fields.ts';

/** The output of a tool as the text that every other program can hold. */
export function outputText(part: Part): { text: string; failed: boolean } {
  const piece = readPart(part);
  return piece.kind === 'result'
    ? { text: sayOutput(piece), failed: piece.failed }
    : { text: '', failed: false };
}

/** The bytes of a file part as base64, if they are here. */
export function bytesOfFile(part: Part): { base64: string; mediaType: string } | undefined {
  const raw = part.type === 'image' ? part.image : part.data;
  const data = isFields(raw) && raw.type === 'data' ? raw.data : raw;
  const mediaType = typeof part.mediaType === 'string' ? part.mediaType : 'application/octet-stream';
  if (data instanceof Uint8Array) return { base64: Buffer.from(data).toString('base64'), mediaType };
  if (typeof data !== 'string') return undefined;
  const url = /^data:([^;,]+);base64,(.*)$/s.exec(data);
  if (url) return { base64: url[2]!, mediaType: url[1]! };
  return /^https?:/.test(data) ? undefined : { base64: data, mediaType };
}

/** The name of a file where it cannot be shown. */
export function fileName({ filename, mediaType }: Part): string {
  return String(filename ?? mediaType ?? 'file');
}
