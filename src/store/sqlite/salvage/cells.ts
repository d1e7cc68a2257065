import type { SalvageSource } from './open-source.ts';
import type { TableName, TableShape } from './table-shapes.ts';

/** What a b-tree page can be, by its first byte. */
export const PAGE_KINDS: Readonly<Record<number, PageKind>> = {
  2: 'index-interior',
  5: 'table-interior',
  10: 'index-leaf',
  13: 'table-leaf',
};
export type PageKind = 'index-interior' | 'table-interior' | 'index-leaf' | 'table-leaf';

/** Where the bytes of a record are: the first ones in the cell, the rest in a chain of overflow pages. */
export interface Payload {
  readonly length: number;
  readonly start: number;
  readonly local: number;
  /** The first overflow page, when `local` is less than `length`. */
  readonly overflow: number;
}

export interface Cell {
  /** Its first byte in the page, and how many bytes of the page it takes. */
  readonly at: number;
  readonly size: number;
  /** The page below it, in interior pages. */
  readonly child?: number;
  readonly rowid?: Varint;
  readonly payload?: Payload;
}

/** The cell at `at`, or `undefined` if no cell can be there: every byte of it has to lie inside the page. */
export function parseCell(
  bytes: Uint8Array,
  at: number,
  { kind, usable }: { kind: PageKind; usable: number },
): Cell | undefined {
  let next = at;
  const interior = kind === 'index-interior' || kind === 'table-interior';
  if (at < 0 || at + (interior ? 4 : 0) > usable) return undefined;
  const child = interior ? { child: readUint32(bytes, at) } : {};
  if (interior) next += 4;
  let length: Varint | undefined;
  if (kind !== 'table-interior') {
    length = readVarint(bytes, next, usable);
    if (!length) return undefined;
    next = length.next;
  }
  let rowid: Varint | undefined;
  if (kind === 'table-leaf' || kind === 'table-interior') {
    rowid = readVarint(bytes, next, usable);
    if (!rowid) return undefined;
    next = rowid.next;
  }
  const payload = length && placePayload(bytes, next, { length: toNumber(length), kind, usable });
  if (length && !payload) return undefined;
  const end = payload ? payload.start + payload.local + (payload.local < payload.length ? 4 : 0) : next;
  return { at, size: Math.max(4, end - at), ...child, ...(rowid && { rowid }), ...(payload && { payload }) };
}

/** How much of a record stays in the page is fixed by the file format, so that every reader finds the same split. */
function placePayload(
  bytes: Uint8Array,
  start: number,
  { length, kind, usable }: { length: number; kind: PageKind; usable: number },
): Payload | undefined {
  const most = kind === 'table-leaf' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (length <= most) {
    return start + length <= usable ? { length, start, local: length, overflow: 0 } : undefined;
  }
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  if (!Number.isSafeInteger(length) || start + local + 4 > usable) return undefined;
  return { length, start, local, overflow: readUint32(bytes, start + local) };
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

export function readUint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

/** A cell that looks like a row of one of our tables. Whether its content is right is another question. */
export interface Recognised {
  readonly shape: TableShape;
  readonly columns: readonly Column[];
  readonly payload: Payload;
  readonly key: number;
  readonly seq: number;
}

const MOST_KEYS = 2 ** 31;

/** Looks at the record's header only, which always lies in the page. */
export function recogniseCell(
  page: Uint8Array,
  { rowid, payload }: Cell,
  tables: readonly TableShape[],
): Recognised | undefined {
  if (!rowid || !payload) return undefined;
  const columns = readColumns(page.subarray(payload.start, payload.start + payload.local), payload.length);
  const shape = columns && tables.find((table) => table.fits(columns));
  if (!columns || !shape) return undefined;
  const { key, seq } = splitRowid(shape.name, rowid);
  return key > 0 && key < MOST_KEYS ? { shape, columns, payload, key, seq } : undefined;
}

/** An entry is filed under its session's key and its seq, packed into one number; the others under a plain key. */
function splitRowid(table: TableName, { high, low }: { high: number; low: number }) {
  if (table === 'entries') return { key: low > 0 ? high : 0, seq: low };
  return { key: high === 0 ? low : 0, seq: 0 };
}

/** The least and most bytes that can stand before a record in its cell: its length and its row number. */
const LEAST_BEFORE = 2;
const MOST_BEFORE = 18;

/**
 * Everything in a page that could be the cell of a row of ours, without a pointer to it. The records of all our tables
 * begin alike: the length of the header in one byte, then a zero, because the first column is the row's own number.
 */
export function* findCells(bytes: Uint8Array, usable: number): Generator<Cell> {
  for (let record = LEAST_BEFORE; record + 1 < usable; record++) {
    if (bytes[record + 1] !== 0 || bytes[record]! < 2 || bytes[record]! > 127) continue;
    for (let at = record - LEAST_BEFORE; at >= Math.max(0, record - MOST_BEFORE); at--) {
      const cell = parseCell(bytes, at, { kind: 'table-leaf', usable });
      if (cell?.payload?.start === record) yield cell;
    }
  }
}

interface ReadPayload {
  /** Absent when the chain of overflow pages breaks off, runs in a circle or leads out of the file. */
  readonly bytes?: Uint8Array;
  /** The overflow pages that were reached. */
  readonly pages: readonly number[];
}

/** All bytes of a record. `page` is the image its cell is in; `taken` tells of pages that belong to another one. */
export function readPayload(
  source: Pick<SalvageSource, 'latest' | 'usable' | 'pageCount'>,
  page: Uint8Array,
  { payload, taken = () => false }: { payload: Payload; taken?: (page: number) => boolean },
): ReadPayload {
  const { start, local, length, overflow } = payload;
  const first = page.subarray(start, start + local);
  if (local === length) return { bytes: first, pages: [] };
  if (length > source.pageCount * source.usable) return { pages: [] };
  const chunks = [first];
  const pages = new Set<number>();
  let left = length - local;
  for (let next = overflow; left > 0; ) {
    // A chain that claims a page twice, or one that is not its own, would never end or end in the wrong text.
    if (next < 2 || next > source.pageCount || pages.has(next) || taken(next)) return { pages: [...pages] };
    const bytes = source.latest(next);
    if (!bytes) return { pages: [...pages] };
    pages.add(next);
    const size = Math.min(left, source.usable - 4);
    chunks.push(bytes.subarray(4, 4 + size));
    left -= size;
    next = readUint32(bytes, 0);
  }
  return { bytes: Buffer.concat(chunks, length), pages: [...pages] };
}

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

/** SQLite's variable-length integer, as two halves of 32 bits: exactly the halves that a position is packed from. */
interface Varint {
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
function toNumber({ high, low }: Varint): number {
  return high * 2 ** 32 + low;
}
