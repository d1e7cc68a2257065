import { type Cell, PAGE_KINDS, type PageKind, parseCell, readUint16, readUint32 } from './cells.ts';

export interface TreePage {
  readonly kind: PageKind;
  /** The cells that its pointers lead to and that can be cells. */
  readonly cells: readonly Cell[];
  /** In interior pages, the page after the last cell's. */
  readonly right?: number;
  /** Every byte is spoken for: by the header, a cell or free space. Then there is nothing else to look for in it. */
  readonly whole: boolean;
}

interface PageLayout {
  readonly usable: number;
  /** Page 1 begins with the 100 bytes of the file's header. */
  readonly first: boolean;
}

/** A page of a b-tree, with as many of its cells as make sense; `undefined` if it does not even begin like one. */
export function parsePage(bytes: Uint8Array, { usable, first }: PageLayout): TreePage | undefined {
  const base = first ? 100 : 0;
  const kind = PAGE_KINDS[bytes[base]!];
  if (!kind || bytes.length < usable || usable < base + 12) return undefined;
  const interior = kind === 'index-interior' || kind === 'table-interior';
  const pointers = base + (interior ? 12 : 8);
  const count = readUint16(bytes, base + 3);
  const room = Math.floor((usable - pointers) / 2);
  const cells: Cell[] = [];
  for (let index = 0; index < Math.min(count, room); index++) {
    const at = readUint16(bytes, pointers + index * 2);
    const cell = at >= pointers ? parseCell(bytes, at, { kind, usable }) : undefined;
    if (cell) cells.push(cell);
  }
  const end = pointers + count * 2;
  const whole = cells.length === count && isSpokenFor(bytes, cells, { base, end, usable });
  return { kind, cells, whole, ...(interior && { right: readUint32(bytes, base + 8) }) };
}

/** The content area is the cells, the free blocks and a counted number of fragments, without a byte to spare. */
function isSpokenFor(
  bytes: Uint8Array,
  cells: readonly Cell[],
  { base, end, usable }: { base: number; end: number; usable: number },
): boolean {
  const start = readUint16(bytes, base + 5) || 65536;
  if (start < end || start > usable) return false;
  let sum = bytes[base + 7]!;
  let free = start;
  for (const { at, size } of cells.toSorted((a, b) => a.at - b.at)) {
    // Two pointers into one cell leave another without any.
    if (at < free) return false;
    free = at + size;
    sum += size;
  }
  for (let block = readUint16(bytes, base + 1); block !== 0; ) {
    if (block < start || block + 4 > usable) return false;
    const next = readUint16(bytes, block);
    const size = readUint16(bytes, block + 2);
    // Free blocks are listed in order, which is also why this loop ends.
    if (size < 4 || block + size > usable || (next !== 0 && next < block + size)) return false;
    sum += size;
    block = next;
  }
  return sum === usable - start;
}

/** How the file is cut into pages: how long each is, and how many of its bytes SQLite uses. */
export interface Paging {
  readonly pageSize: number;
  readonly usable: number;
}

const MAGIC = 'SQLite format 3\0';
/** The size our stores are made with first, then the others that SQLite knows. */
const SIZES = [4096, 8192, 16384, 32768, 65536, 2048, 1024, 512];

/**
 * The way to cut at which most of `sample`, the start of the file, falls into whole pages; the header's word decides
 * when that says nothing. The size in the log's header, where there is one, is covered by a checksum and so is certain.
 */
export function choosePageSize(sample: Uint8Array, fromWal?: number): Paging {
  const told = fromHeader(sample);
  const sizes = [...new Set([fromWal, told?.pageSize, ...SIZES])];
  const plain = sizes.filter((size) => size !== undefined).filter(isPageSize);
  const candidates = [...(told ? [told] : []), ...plain.map((size) => ({ pageSize: size, usable: size }))];
  const fitting = candidates.filter(({ pageSize }) => fromWal === undefined || pageSize === fromWal);
  const scores = fitting.map((paging) => wholeBytes(sample, paging));
  return fitting[scores.indexOf(Math.max(...scores))] ?? candidates[0]!;
}

export function hasMagic(sample: Uint8Array): boolean {
  return sample.length >= 100 && Buffer.from(sample.subarray(0, 16)).toString('latin1') === MAGIC;
}

function fromHeader(sample: Uint8Array): Paging | undefined {
  if (!hasMagic(sample)) return undefined;
  const told = readUint16(sample, 16);
  const pageSize = told === 1 ? 65536 : told;
  const usable = pageSize - sample[20]!;
  return isPageSize(pageSize) && usable >= 480 ? { pageSize, usable } : undefined;
}

function isPageSize(size: number): boolean {
  return SIZES.includes(size);
}

function wholeBytes(sample: Uint8Array, { pageSize, usable }: Paging): number {
  let bytes = 0;
  for (let at = 0; at + pageSize <= sample.length; at += pageSize) {
    const page = parsePage(sample.subarray(at, at + pageSize), { usable, first: at === 0 });
    if (page?.whole && page.cells.length > 0) bytes += pageSize;
  }
  return bytes;
}
