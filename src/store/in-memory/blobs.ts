import { createHash } from 'node:crypto';
import { ThroughlineError } from '../../errors.ts';
import type { Blob } from '../set-aside.ts';
import type { MemorySessionRow, MemoryTables } from './tables.ts';

export function useBlob({ blobs }: MemoryTables, { hash, bytes }: Blob): void {
  const row = blobs.get(hash);
  if (row) row.uses++;
  else blobs.set(hash, { bytes: new Uint8Array(bytes), uses: 1 });
}

/** Forgets a session's uses and deletes blobs without other uses. Returns their sizes. */
export function releaseBlobs({ blobs }: MemoryTables, { entries }: MemorySessionRow): number[] {
  const sizes: number[] = [];
  for (const hash of entries.flatMap((entry) => entry.blobs)) {
    const row = blobs.get(hash)!;
    if (--row.uses > 0) continue;
    blobs.delete(hash);
    sizes.push(row.bytes.byteLength);
  }
  return sizes;
}

export function readBlob({ blobs }: MemoryTables, hash: string): Uint8Array {
  const row = blobs.get(hash);
  const details = { blob: hash };
  if (!row)
    throw new ThroughlineError('blob-missing', `There is no blob ${hash} in this store.`, { details });
  if (sqliteHashOf(row.bytes) === hash) return new Uint8Array(row.bytes);
  throw new ThroughlineError('blob-damaged', `The bytes of blob ${hash} do not match its hash.`, { details });
}

function sqliteHashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
