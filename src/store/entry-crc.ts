import { crc32 } from 'node:zlib';
import type { EntryId } from '../record/index.ts';

/** Vouches for everything of an entry that its writer decided: its id, its time and, byte for byte, its body. */
export function entryCrc({ id, at, json }: { id: EntryId; at: number; json: string | Uint8Array }): number {
  return crc32(json, crc32(`${id} ${at} `));
}
