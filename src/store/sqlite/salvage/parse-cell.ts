import { readVarint, toNumber, type Varint } from './read-varint.ts';

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
