import { createHash, randomFillSync } from 'node:crypto';
import { z } from 'zod';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A lower-case UUID. New ones are version 7, so ids made later sort later and index pages fill in order. */
export const EntryId = z.string().regex(UUID, 'an entry id is a lower-case UUID');
export type EntryId = z.infer<typeof EntryId>;

/** True for an id as it is stored. Ids from outside go through `toEntryId`. */
export function isEntryId(text: string): boolean {
  return UUID.test(text);
}

/** The entry id that a UUID in either case means: Swift and .NET write upper case. `undefined` for anything else. */
export function toEntryId(text: unknown): EntryId | undefined {
  if (typeof text !== 'string') return undefined;
  if (UUID.test(text)) return text;
  const lower = text.toLowerCase();
  return text.length === 36 && UUID.test(lower) ? lower : undefined;
}

const pool = new Uint8Array(4096);
let used = pool.length;
let lastMs = 0;
let counter = 0;

/**
 * A UUIDv7. Within one process ids strictly increase, also inside one millisecond and when the clock steps back:
 * 12 bits count within the millisecond, and an overflow borrows the next one.
 */
export function newEntryId(now: number = Date.now()): EntryId {
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  if (used + 8 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = new Uint8Array(16);
  let ms = lastMs;
  for (let i = 5; i >= 0; i--) {
    bytes[i] = ms % 256;
    ms = Math.floor(ms / 256);
  }
  bytes[6] = 0x70 | (counter >> 8);
  bytes[7] = counter & 0xff;
  bytes.set(pool.subarray(used, used + 8), 8);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  used += 8;
  return entryIdFromBytes(bytes);
}

/**
 * The same id for the same names, always (a version 8 UUID from SHA-256). For importers: reading a file twice gives
 * the same entries, so the second append is a repeat and changes nothing.
 */
export function deriveEntryId(...names: readonly string[]): EntryId {
  const hash = createHash('sha256').update(JSON.stringify(names)).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return entryIdFromBytes(hash.subarray(0, 16));
}

/** When a version 7 id was made, in milliseconds; `undefined` for other versions. */
export function entryIdTime(id: EntryId): number | undefined {
  return id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}

// Every entry that is written or read passes here, and a call out of JavaScript costs more than all of this.
const DIGITS = Buffer.from('0123456789abcdef');
/** Where the bytes stand in the text. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const text = Buffer.from('00000000-0000-0000-0000-000000000000');

export function entryIdBytes(id: EntryId): Uint8Array {
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) {
    const place = PLACES[i]!;
    bytes[i] = (digitValue(id.charCodeAt(place)) << 4) | digitValue(id.charCodeAt(place + 1));
  }
  return bytes;
}

/** 0 to 9 are 48 to 57, a to f are 97 to 102. */
function digitValue(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

export function entryIdFromBytes(bytes: Uint8Array): EntryId {
  for (let i = 0; i < 16; i++) {
    const place = PLACES[i]!;
    text[place] = DIGITS[bytes[i]! >> 4]!;
    text[place + 1] = DIGITS[bytes[i]! & 15]!;
  }
  return text.toString('latin1');
}

/** How a fact or a proposal is named to people: the end of its id, which is the part that no two facts of one moment share. */
export function shortId(id: EntryId): string {
  return id.slice(-8);
}
