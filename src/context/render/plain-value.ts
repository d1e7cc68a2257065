import { type BlobRef, type Entry, isBlobRef, isRef } from '../../record/index.ts';

/**
 * The value as a provider can take it: every string well-formed UTF-16 (a lone surrogate makes a request invalid), bytes as
 * base64, and large values as their previews. The same object if nothing had to change; the log is never touched.
 */
export function plainValue(value: unknown, entry: Entry): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (isRef(value)) return previewOf(value, entry);
  const bytes = plainBytesOf(value);
  if (bytes) return base64(bytes);
  if (value instanceof URL) return value;
  // Another program's object with our key, from an entry that was read whole: as text, so that it is not taken for ours.
  if (isBlobRef(value)) return JSON.stringify(plainFields(value as Record<string, unknown>, entry));
  return Array.isArray(value)
    ? plainList(value, entry)
    : plainFields(value as Record<string, unknown>, entry);
}

/** The beginning of a large text, and where the rest is. */
export function previewOf({ preview, bytes }: BlobRef, { id }: Entry): string {
  const shown = preview.toWellFormed();
  return `${shown}${shown === '' ? '' : '…\n'}[Only a preview: ${bytes} bytes in all. Entry ${id} has the whole.]`;
}

export function plainBytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function plainList(list: readonly unknown[], entry: Entry): readonly unknown[] {
  const plain = list.map((item) => plainValue(item, entry));
  return plain.every((item, index) => item === list[index]) ? list : plain;
}

function plainFields(fields: Record<string, unknown>, entry: Entry): Record<string, unknown> {
  let changed = false;
  const plain = Object.entries(fields).map(([key, field]) => {
    const pair = [key.toWellFormed(), plainValue(field, entry)] as const;
    changed ||= pair[0] !== key || pair[1] !== field;
    return pair;
  });
  // Two keys that differ only in a lone surrogate become one; the last wins, as in any JSON parser.
  return changed ? Object.fromEntries(plain) : fields;
}
