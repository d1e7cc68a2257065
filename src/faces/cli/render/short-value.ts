import { type BlobRef, isBlobRef } from '../../../record/index.ts';
import { sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** Any stored value on one line. Long ones are cut by the caller, so only their start is looked at. */
export function shortValue(value: unknown): string {
  if (typeof value === 'string') return visibleLine(value.slice(0, ENOUGH));
  if (isBlobRef(value)) return shortBlob(value);
  if (value === undefined) return '';
  return visibleLine(JSON.stringify(value, blobsInWords)?.slice(0, ENOUGH) ?? '');
}

/** The preview and size of a large value. */
export function shortBlob({ bytes, preview, width, height }: BlobRef): string {
  const size = width && height ? `${width}×${height}, ${sayBytes(bytes)}` : sayBytes(bytes);
  return preview ? `(${size}) ${visibleLine(preview)}…` : `(${size})`;
}

const ENOUGH = 2000;

function blobsInWords(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return `(${sayBytes(value.byteLength)})`;
  return isBlobRef(value) ? shortBlob(value) : value;
}
