import { z } from 'zod';

/**
 * Stands in an entry for a value that is kept once, by its SHA-256. Readers that need the value fetch the blob; readers that
 * need to know the content roughly have the preview, the size and the tokens.
 */
export const BlobRef = z.strictObject({
  $blob: z.string().regex(/^[0-9a-f]{64}$/),
  /** How the stored bytes become the value again: UTF-8 text, a base64 string, raw bytes, or JSON. */
  as: z.enum(['text', 'base64', 'bytes', 'json']),
  bytes: z.int().min(0),
  preview: z.string(),
  tokens: z.int().min(0).optional(),
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
});
export type BlobRef = z.infer<typeof BlobRef>;

/** Writers never store another object with a `$blob` key inline, so the key alone decides. */
export function isBlobRef(value: unknown): value is BlobRef {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$blob');
}

/** A value of an entry that was read without its blobs. Whole entries may hold other objects with this key. */
export function isRef(value: unknown): value is BlobRef {
  return isBlobRef(value) && typeof value.preview === 'string' && typeof value.bytes === 'number';
}

/** A text as it is, the preview of one that is kept as a blob, and nothing for any other value. */
export function textOrPreview(value: unknown): string {
  if (typeof value === 'string') return value;
  return isBlobRef(value) && typeof value.preview === 'string' ? value.preview : '';
}
