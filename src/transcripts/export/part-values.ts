import type { Part } from '../../record/index.ts';
import { fieldsOf, isFields } from '../source/fields.ts';

/** What a tool gave back, as the text that every other program can hold. */
export function outputText(part: Part): { text: string; failed: boolean } {
  const { type, value, reason } = fieldsOf(part.output);
  const kind = typeof type === 'string' ? type : '';
  const failed = kind.startsWith('error') || kind === 'execution-denied' || part.isError === true;
  if (kind === 'execution-denied') return { text: `Denied${reason ? `: ${String(reason)}` : ''}.`, failed };
  if (kind === '' && typeof part.output === 'string') return { text: part.output, failed };
  if (kind === 'content' && Array.isArray(value)) return { text: value.map(itemText).join('\n'), failed };
  return { text: typeof value === 'string' ? value : (JSON.stringify(value ?? part.output) ?? ''), failed };
}

function itemText(item: unknown): string {
  const { text, type } = fieldsOf(item);
  return typeof text === 'string' ? text : `[${String(type ?? 'item')}]`;
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

/** What a file is called where it cannot be shown. */
export function fileName({ filename, mediaType }: Part): string {
  return String(filename ?? mediaType ?? 'file');
}
