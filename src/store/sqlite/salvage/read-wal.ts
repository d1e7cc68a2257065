import { readUint32 } from './cells.ts';

// A write-ahead log is a chain: the checksum of a frame starts from that of the frame before. SQLite stops at the first
// link that does not hold, and so forgets every later commit. Here the chain is taken up again behind it: a frame counts
// if it follows from the checksum written in its predecessor, and carries the salts of this log and not of an older one.

/** One page as a transaction left it. */
export interface WalFrame {
  readonly page: number;
  /** Where the page begins in the file. */
  readonly start: number;
  /** Its checksum holds. Otherwise neither the page nor its number can be relied on. */
  readonly sound: boolean;
}

interface Wal {
  /** Frames of committed transactions, oldest first. What comes after the last commit never happened. */
  readonly frames: readonly WalFrame[];
  /** The size of the store after the last commit, in pages; 0 if there was none. */
  readonly pageCount: number;
}

type Checksum = readonly [number, number];

const HEADER = 32;
const FRAME_HEADER = 24;
const LITTLE_ENDIAN = 0x377f0682;
const BIG_ENDIAN = 0x377f0683;

/** The page size that a whole log header gives, to rely on when the store's own header is gone. */
export function walPageSize(header: Uint8Array): number | undefined {
  return readHeader(header)?.pageSize;
}

export function readWal(
  read: (start: number, length: number) => Uint8Array,
  { size, pageSize }: { size: number; pageSize: number },
): Wal {
  const header = readHeader(read(0, HEADER));
  const little = header?.little ?? true;
  const length = FRAME_HEADER + pageSize;
  const committed: WalFrame[] = [];
  let pending: WalFrame[] = [];
  let pageCount = 0;
  let salts = header?.salts;
  let before: Checksum | undefined = header?.checksum;
  for (let start = HEADER; start + length <= size; start += length) {
    const frame = read(start, length);
    const page = readUint32(frame, 0);
    salts ??= saltsOf(frame);
    const ours = salts === saltsOf(frame);
    const written: Checksum = [readUint32(frame, 16), readUint32(frame, 20)];
    const sound = ours && before !== undefined && same(written, sumFrame(frame, before, little));
    before = ours ? written : undefined;
    if (ours && page > 0) pending.push({ page, start: start + FRAME_HEADER, sound });
    const commit = readUint32(frame, 4);
    if (!sound || commit === 0) continue;
    for (const each of pending) committed.push(each);
    pending = [];
    pageCount = commit;
  }
  return { frames: committed, pageCount };
}

interface Header {
  readonly pageSize: number;
  readonly salts: string;
  readonly checksum: Checksum;
  readonly little: boolean;
}

function readHeader(bytes: Uint8Array): Header | undefined {
  if (bytes.length < HEADER) return undefined;
  const magic = readUint32(bytes, 0);
  if (magic !== LITTLE_ENDIAN && magic !== BIG_ENDIAN) return undefined;
  const little = magic === LITTLE_ENDIAN;
  const checksum: Checksum = [readUint32(bytes, 24), readUint32(bytes, 28)];
  if (!same(checksum, sum(bytes.subarray(0, 24), [0, 0], little))) return undefined;
  const salts = `${readUint32(bytes, 16)}.${readUint32(bytes, 20)}`;
  return { pageSize: readUint32(bytes, 8), salts, checksum, little };
}

function saltsOf(frame: Uint8Array): string {
  return `${readUint32(frame, 8)}.${readUint32(frame, 12)}`;
}

function sumFrame(frame: Uint8Array, before: Checksum, little: boolean): Checksum {
  const start = sum(frame.subarray(0, 8), before, little);
  return sum(frame.subarray(FRAME_HEADER), start, little);
}

function sum(bytes: Uint8Array, [first, second]: Checksum, little: boolean): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let s1 = first;
  let s2 = second;
  for (let at = 0; at + 8 <= bytes.byteLength; at += 8) {
    s1 = (s1 + words.getUint32(at, little) + s2) >>> 0;
    s2 = (s2 + words.getUint32(at + 4, little) + s1) >>> 0;
  }
  return [s1, s2];
}

function same(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
