import { readVarint, toNumber } from './read-varint.ts';

/** One value of a record: its serial type says what it is, the rest where. */
export interface Column {
  readonly type: number;
  readonly start: number;
  readonly size: number;
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
/** More than any table of ours has; a header that claims more is no header. */
const MOST_COLUMNS = 100;

/**
 * The columns of a record of `length` bytes, from its first bytes alone. They have to fill the record exactly, so random
 * bytes hardly ever pass for one.
 */
export function readColumns(bytes: Uint8Array, length: number): Column[] | undefined {
  const header = readVarint(bytes, 0, bytes.length);
  if (!header) return undefined;
  const end = toNumber(header);
  if (end > bytes.length || end > length) return undefined;
  const columns: Column[] = [];
  let start = end;
  for (let at = header.next; at < end; ) {
    const serial = readVarint(bytes, at, end);
    if (!serial || columns.length >= MOST_COLUMNS) return undefined;
    const type = toNumber(serial);
    const size = sizeOf(type);
    if (size === undefined || start + size > length) return undefined;
    columns.push({ type, start, size });
    start += size;
    at = serial.next;
  }
  return start === length ? columns : undefined;
}

export const isNull = ({ type }: Column): boolean => type === 0;
export const isInteger = ({ type }: Column): boolean => (type >= 1 && type <= 6) || type === 8 || type === 9;
export const isReal = ({ type }: Column): boolean => type === 7;
export const isBlob = ({ type }: Column): boolean => type >= 12 && type % 2 === 0;
export const isText = ({ type }: Column): boolean => type >= 13 && type % 2 === 1;

/** The integer in a column. Those that a number cannot hold come out as `NaN`: we never write one. */
export function readInteger(bytes: Uint8Array, { type, start, size }: Column): number {
  if (type === 8 || type === 9) return type - 8;
  let value = bytes[start]! >= 0x80 ? -1 : 0;
  for (let index = 0; index < size; index++) value = value * 256 + bytes[start + index]!;
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

export function readText(bytes: Uint8Array, column: Column): string {
  const { buffer, byteOffset, byteLength } = readBytes(bytes, column);
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** Not more than there is, whatever the header claims. */
export function readBytes(bytes: Uint8Array, { start, size }: Column): Uint8Array {
  return bytes.subarray(start, start + size);
}

function sizeOf(type: number): number | undefined {
  if (type < 10) return SIZES[type];
  if (type < 12 || !Number.isSafeInteger(type)) return undefined;
  return Math.floor((type - 12) / 2);
}
