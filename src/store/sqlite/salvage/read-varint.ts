/** SQLite's variable-length integer, as two halves of 32 bits: exactly the halves that a position is packed from. */
export interface Varint {
  readonly high: number;
  readonly low: number;
  /** Where the byte after it is. */
  readonly next: number;
}

/** `undefined` when it would run past `end`. */
export function readVarint(bytes: Uint8Array, at: number, end: number): Varint | undefined {
  let high = 0;
  let low = 0;
  for (let index = 0; index < 9; index++) {
    if (at + index >= end) return undefined;
    const byte = bytes[at + index]!;
    // Eight bytes carry 7 bits each; the ninth, if it comes to that, carries 8.
    const bits = index === 8 ? 8 : 7;
    high = ((high << bits) | (low >>> (32 - bits))) >>> 0;
    low = ((low << bits) | (index === 8 ? byte : byte & 0x7f)) >>> 0;
    if (byte < 0x80 || index === 8) return { high, low, next: at + index + 1 };
  }
  return undefined;
}

/** Exact up to 2^53; beyond that only good for being found too large. */
export function toNumber({ high, low }: Varint): number {
  return high * 2 ** 32 + low;
}
