import { readUint32 } from './cells.ts';
import type { SalvageSource } from './open-source.ts';
import { hasMagic } from './pages.ts';

// What every page of the file turned out to be. Whatever is left over in the end was lost.

const UNKNOWN = 0;
/** Belongs to a b-tree and is whole, or to the list of free pages. */
const ACCOUNTED = 1;
/** Holds a part of a row that is known to be right. */
const OVERFLOW = 2;
/** Holds a part of a row that is counted as lost already. */
const COUNTED = 3;
const EMPTY = 4;
/** Belongs to a b-tree and is damaged; some of its rows may have been saved. */
const PARTIAL = 5;

export interface Lost {
  readonly pages: readonly number[];
  readonly bytes: number;
}

export interface PageLedger {
  account(page: number): void;
  overflow(pages: readonly number[]): void;
  isOverflow(page: number): boolean;
  empty(page: number): void;
  partial(page: number): void;
  isPartial(page: number): boolean;
  isUnknown(page: number): boolean;
  /** Bytes of a damaged page that were saved after all. */
  save(page: number, bytes: number): void;
  /** A row that is lost: the bytes of it in its own page, and the overflow pages that it led to. */
  lose(bytes: number, pages: readonly number[]): void;
  lost(): Lost;
}

export function createPageLedger(source: SalvageSource): PageLedger {
  const { pageCount, pageSize, usable } = source;
  const uses = new Uint8Array(pageCount + 1);
  const saved = new Map<number, number>();
  let lostInRows = 0;
  const free = markFreePages(source, (page) => {
    uses[page] = ACCOUNTED;
  });
  const note = (page: number, use: number) => {
    if (uses[page] === UNKNOWN) uses[page] = use;
  };

  return {
    account(page) {
      if (uses[page] !== PARTIAL) uses[page] = ACCOUNTED;
    },
    overflow(pages) {
      for (const page of pages) if (uses[page] !== ACCOUNTED) uses[page] = OVERFLOW;
    },
    isOverflow: (page) => uses[page] === OVERFLOW,
    empty: (page) => note(page, EMPTY),
    partial: (page) => note(page, PARTIAL),
    isPartial: (page) => uses[page] === PARTIAL,
    isUnknown: (page) => uses[page] === UNKNOWN,
    save: (page, bytes) => saved.set(page, (saved.get(page) ?? 0) + bytes),
    lose(bytes, pages) {
      lostInRows += bytes;
      for (const page of pages) {
        if (uses[page] !== UNKNOWN) continue;
        lostInRows += usable - 4;
        uses[page] = COUNTED;
      }
    },
    lost() {
      const pages: number[] = [];
      let bytes = lostInRows + source.missing;
      for (let page = 1; page <= pageCount; page++) {
        const use = uses[page];
        // Deleted content is overwritten with zeros, so without the list of free pages an empty one means nothing.
        const isLost =
          use === UNKNOWN || use === PARTIAL || (use === EMPTY && free && page !== lockPage(pageSize));
        if (!isLost) continue;
        pages.push(page);
        bytes += Math.max(0, pageSize - (saved.get(page) ?? 0));
      }
      return { pages, bytes };
    },
  };
}

/** SQLite never uses the page with this byte: systems lock files by it. */
function lockPage(pageSize: number): number {
  return Math.floor(2 ** 30 / pageSize) + 1;
}

/** Follows the list of free pages. False when it is not what the header says, so that nothing is concluded from it. */
function markFreePages(source: SalvageSource, mark: (page: number) => void): boolean {
  const header = source.latest(1);
  if (!header || !hasMagic(header)) return false;
  const total = readUint32(header, 36);
  const free = new Set<number>();
  for (let trunk = readUint32(header, 32); trunk !== 0; ) {
    const bytes = trunk <= source.pageCount && !free.has(trunk) ? source.latest(trunk) : undefined;
    if (!bytes) return false;
    free.add(trunk);
    const count = readUint32(bytes, 4);
    if (count > source.usable / 4 - 2) return false;
    for (let index = 0; index < count; index++) free.add(readUint32(bytes, 8 + index * 4));
    trunk = readUint32(bytes, 0);
  }
  if (free.size !== total || [...free].some((page) => page < 2 || page > source.pageCount)) return false;
  free.forEach(mark);
  return true;
}
