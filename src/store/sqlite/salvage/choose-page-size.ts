import { readUint16 } from './parse-cell.ts';
import { parsePage } from './parse-page.ts';

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
