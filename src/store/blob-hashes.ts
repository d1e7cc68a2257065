import { isBlobRef } from '../record/index.ts';

/** The hashes of all blobs a stored body refers to. */
export function blobHashes(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if (isBlobRef(value)) return found.add(value.$blob);
  for (const field of Object.values(value)) blobHashes(field, found);
  return found;
}
