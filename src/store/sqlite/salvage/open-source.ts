import { closeSync, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { ThroughlineError } from '../../../errors.ts';
import { readUint32 } from './cells.ts';
import { choosePageSize, hasMagic, type Paging } from './pages.ts';
import { readWal, type WalFrame, walPageSize } from './read-wal.ts';

/** One version of a page: page `n` of the file is `n`, frame `n` of the log is `-n`. */
export type ImageId = number;

/** Where a cell is: in which image, and at which byte of it. One number, because a large store has millions. */
export type CellPlace = number;

/** A damaged store as pages. Only ever read, and never through SQLite, which would write to the files beside it. */
export interface SalvageSource extends Paging {
  readonly pageCount: number;
  /** Bytes that the file should have and does not. */
  readonly missing: number;
  /**
   * The images of a page to look at, newest first. As a rule that is one, the latest: an older one may hold rows that
   * were purged since. Only where the latest is itself damaged is an older one better than nothing; the rows in it that
   * were not purged have not changed, because entries never do.
   */
  images(page: number): readonly { readonly id: ImageId; readonly sound: boolean }[];
  /** Always a whole page: what cannot be read, or lies behind the end of the file, is zero. */
  read(image: ImageId): Uint8Array;
  /** The page as the last commit left it. */
  latest(page: number): Uint8Array | undefined;
  close(): void;
}

const SAMPLE = 4 * 1024 * 1024;
const OFFSETS = 65536;

export function openSalvageSource(file: string): SalvageSource {
  const main = openForReading(file);
  let wal: OpenFile | undefined;
  try {
    // SQLite keeps the log beside the file itself, not beside a link to it.
    const log = `${realpathSync(file)}-wal`;
    wal = existsSync(log) ? openForReading(log) : undefined;
    return createSource(main, wal);
  } catch (error) {
    main.close();
    wal?.close();
    throw error;
  }
}

export function cellPlace(image: ImageId, at: number): CellPlace {
  return image > 0 ? image * OFFSETS + at : image * OFFSETS - at;
}

export function placeParts(place: CellPlace): { image: ImageId; at: number } {
  return { image: Math.trunc(place / OFFSETS), at: Math.abs(place % OFFSETS) };
}

function createSource(main: OpenFile, wal: OpenFile | undefined): SalvageSource {
  const paging = choosePageSize(main.read(0, SAMPLE), wal && walPageSize(wal.read(0, 32)));
  const { pageSize } = paging;
  const log = wal && readWal(wal.read, { size: wal.size, pageSize });
  const frames = log?.frames ?? [];
  const versions = framesByPage(frames);
  const inFile = Math.ceil(main.size / pageSize);
  const highest = frames.reduce((most, { page }) => Math.max(most, page), inFile);
  // After a commit that made the store smaller, the pages behind its end are no longer part of it.
  const pageCount = Math.min(log?.pageCount || highest, highest);
  const told = log?.pageCount || toldPageCount(main.read(0, 100), main.size, pageSize);

  function read(image: ImageId): Uint8Array {
    const bytes =
      image > 0
        ? main.read((image - 1) * pageSize, pageSize)
        : (wal?.read(frames[-image - 1]!.start, pageSize) ?? new Uint8Array());
    if (bytes.length === pageSize) return bytes;
    const page = new Uint8Array(pageSize);
    page.set(bytes);
    return page;
  }

  function images(page: number) {
    const found: { id: ImageId; sound: boolean }[] = [];
    for (const index of versions.get(page)?.toReversed() ?? []) {
      const { sound } = frames[index]!;
      found.push({ id: -(index + 1), sound });
      if (sound) return found;
    }
    if (page <= inFile) found.push({ id: page, sound: true });
    return found;
  }

  return {
    ...paging,
    pageCount,
    missing: Math.max(0, told - pageCount) * pageSize,
    images,
    read,
    latest(page) {
      const image = page > 0 ? images(page).find(({ sound }) => sound) : undefined;
      return image && read(image.id);
    },
    close() {
      main.close();
      wal?.close();
    },
  };
}

function framesByPage(frames: readonly WalFrame[]): Map<number, number[]> {
  const versions = new Map<number, number[]>();
  for (const [index, { page }] of frames.entries()) {
    const list = versions.get(page);
    if (list) list.push(index);
    else versions.set(page, [index]);
  }
  return versions;
}

/** A claimed size of more than this times the rest of a file is not believed: the count itself is damaged. */
const MOST_MISSING = 64;

/** How many pages the header counts, if the count was written together with the last change. */
function toldPageCount(header: Uint8Array, size: number, pageSize: number): number {
  if (!hasMagic(header)) return 0;
  const count = readUint32(header, 28);
  const current = readUint32(header, 24) === readUint32(header, 92);
  return current && count * pageSize <= Math.max(size, pageSize) * MOST_MISSING ? count : 0;
}

interface OpenFile {
  readonly size: number;
  /** Fewer bytes than asked for at the end of the file, and where the disk gives none. */
  readonly read: (start: number, length: number) => Uint8Array;
  close(): void;
}

function openForReading(file: string): OpenFile {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (cause) {
    const message = `Nothing can be salvaged from ${file}: ${(cause as Error).message}. Check the path and its permissions.`;
    throw new ThroughlineError('usage', message, { cause, details: { location: file } });
  }
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) {
    closeSync(descriptor);
    throw new ThroughlineError('usage', `${file} is not a file, so nothing can be salvaged from it.`);
  }
  return {
    size: stat.size,
    read(start, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, stat.size - start)));
      let done = 0;
      while (done < bytes.length) {
        const got = tryRead(descriptor, bytes, { done, position: start + done });
        if (got === 0) break;
        done += got;
      }
      return bytes.subarray(0, done);
    },
    close: () => closeSync(descriptor),
  };
}

/** A bad sector is no reason to stop: the page it is in is lost, the others are not. */
function tryRead(descriptor: number, bytes: Buffer, at: { done: number; position: number }): number {
  try {
    return readSync(descriptor, bytes, at.done, bytes.length - at.done, at.position);
  } catch {
    return 0;
  }
}
