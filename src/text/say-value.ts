import { type BlobRef, isBlobRef } from '../record/index.ts';

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
