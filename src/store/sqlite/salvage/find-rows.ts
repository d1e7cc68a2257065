import { setImmediate as breathe } from 'node:timers/promises';
import type { SessionId } from '../../../record/index.ts';
import { type Cell, findCells } from './cells.ts';
import type { CellPlace, ImageId, SalvageSource } from './open-source.ts';
import { createPageLedger, type Lost } from './page-ledger.ts';
import { parsePage } from './pages.ts';
import type { SessionBirth } from './read-rows.ts';
import type { Schema } from './table-shapes.ts';
import { createRowTaker } from './take-row.ts';

// A row in a whole, latest page was there when the file was last written to: it is certain. One found in a damaged page
// or an older image may be left over from before a purge, and needs another sign that it belongs.

/** The entries found under one session key, in the order of the pages they were in. */
export interface FoundLog {
  readonly entries: { readonly seq: number; readonly place: CellPlace }[];
  /** At least one of them is. */
  certain: boolean;
}

export interface SalvagedSession extends SessionBirth {
  readonly certain: boolean;
}

export interface FoundBlob {
  readonly place: CellPlace;
  readonly certain: boolean;
}

export interface DamagedEntry {
  readonly key: number;
  readonly seq: number;
  readonly reason: string;
}

/** Where everything is that can still be read; the rows themselves are read again, one by one, when they are written. */
export interface FoundRow {
  readonly sessions: ReadonlyMap<number, SalvagedSession>;
  readonly logs: ReadonlyMap<number, FoundLog>;
  /** The last seq of each session, as the index of entry ids has it. */
  readonly heads: ReadonlyMap<number, number>;
  readonly blobs: ReadonlyMap<string, FoundBlob>;
  /** When each session was purged that was. */
  readonly purged: ReadonlyMap<SessionId, number>;
  readonly damagedEntries: readonly DamagedEntry[];
  readonly damagedBlobs: readonly string[];
  readonly lost: Lost;
}

const PAGES_AT_ONCE = 200;

/** Goes through every page, whatever the trees above it look like, and keeps what can be shown to be right. */
export async function findSalvagedRows(
  source: SalvageSource,
  schema: Schema,
  { onProgress }: { onProgress: (fraction: number) => void },
): Promise<FoundRow> {
  const ledger = createPageLedger(source);
  const rows = createRowTaker(source, schema, ledger);
  const { pageCount, usable } = source;

  for (let page = 1; page <= pageCount; page++) {
    for (const [index, { id, sound }] of source.images(page).entries()) {
      if (sound) takeWholePage(page, id, index === 0);
      else ledger.partial(page);
    }
    if (page % PAGES_AT_ONCE === 0) await pause(page / pageCount / 2);
  }
  // Second, because by now it is known which pages are the insides of a row: text there can look like anything.
  for (let page = 1; page <= pageCount; page++) {
    if (ledger.isPartial(page) || ledger.isUnknown(page)) {
      for (const { id } of source.images(page)) searchPage(page, id);
    }
    if (page % PAGES_AT_ONCE === 0) await pause(0.5 + page / pageCount / 2);
  }
  return { ...rows.found, lost: ledger.lost() };

  function takeWholePage(page: number, image: ImageId, certain: boolean): void {
    const bytes = source.read(image);
    const tree = parsePage(bytes, { usable, first: page === 1 });
    if (tree?.whole) {
      ledger.account(page);
      rows.takePage(tree, { bytes, image, certain });
    } else if (tree) ledger.partial(page);
    else if (bytes.every((byte) => byte === 0)) ledger.empty(page);
  }

  /** Rows in a damaged page: where its pointers lead, and wherever else the bytes are those of a row. */
  function searchPage(page: number, image: ImageId): void {
    const bytes = source.read(image);
    const pointed = parsePage(bytes, { usable, first: page === 1 });
    const seen = new Set<number>();
    const take = (cell: Cell, listed: boolean) => {
      if (seen.has(cell.at) || !rows.takeUncertain(cell, { bytes, image, listed })) return;
      seen.add(cell.at);
      ledger.save(page, cell.size);
    };
    if (pointed?.kind === 'table-leaf') for (const cell of pointed.cells) take(cell, true);
    for (const cell of findCells(bytes, usable)) take(cell, false);
  }

  async function pause(fraction: number): Promise<void> {
    onProgress(fraction);
    await breathe();
  }
}
