import type { SessionId } from '../../../record/index.ts';
import { type Cell, type Recognised, readPayload, recogniseCell } from './cells.ts';
import type { DamagedEntry, FoundBlob, FoundLog, FoundRow, SalvagedSession } from './find-rows.ts';
import { cellPlace, type ImageId, type SalvageSource } from './open-source.ts';
import type { PageLedger } from './page-ledger.ts';
import type { TreePage } from './pages.ts';
import { readIndexedPosition } from './read-directory.ts';
import { readBlobRow, readEntryRow, readSessionRow, readTombstone } from './read-rows.ts';
import type { Schema } from './table-shapes.ts';

interface PageImage {
  readonly bytes: Uint8Array;
  readonly image: ImageId;
}

interface RowTaker {
  readonly found: Omit<FoundRow, 'lost'>;
  /** Every row of a whole page. What should be a row and is not is noted as damaged. */
  takePage(tree: TreePage, page: PageImage & { certain: boolean }): void;
  /** A row in a damaged page; `listed` if the page points to it. True if it is right. */
  takeUncertain(cell: Cell, page: PageImage & { listed: boolean }): boolean;
}

/** Sorts rows by what they are and by whether they are right. */
export function createRowTaker(source: SalvageSource, { tables }: Schema, ledger: PageLedger): RowTaker {
  const sessions = new Map<number, SalvagedSession>();
  const logs = new Map<number, FoundLog>();
  const blobs = new Map<string, FoundBlob>();
  const purged = new Map<SessionId, number>();
  const heads = new Map<number, number>();
  const damagedEntries: DamagedEntry[] = [];
  const damagedBlobs: string[] = [];

  function takePage(
    { kind, cells }: TreePage,
    { bytes, image, certain }: PageImage & { certain: boolean },
  ): void {
    const strange: Cell[] = [];
    let entries = 0;
    for (const cell of cells) {
      const row = kind === 'table-leaf' ? recogniseCell(bytes, cell, tables) : undefined;
      if (row?.shape.name === 'entries') entries++;
      if (row) take(row, cell, { bytes, image, certain, report: certain });
      else {
        strange.push(cell);
        coverOverflow(cell, bytes);
      }
      if (certain && kind !== 'table-leaf') noteId(cell, bytes);
    }
    if (entries > 0 && certain) {
      for (const cell of strange)
        damage(cell, 'the head of its row is damaged', { bytes: cell.size, pages: [] });
    }
  }

  function takeUncertain(cell: Cell, { bytes, image, listed }: PageImage & { listed: boolean }): boolean {
    const row = recogniseCell(bytes, cell, tables);
    return row !== undefined && take(row, cell, { bytes, image, certain: false, report: listed });
  }

  function take(
    row: Recognised,
    cell: Cell,
    { bytes, image, certain, report }: PageImage & { certain: boolean; report: boolean },
  ): boolean {
    const { shape, columns, payload, key, seq } = row;
    const whole = readPayload(source, bytes, { payload, taken: ledger.isOverflow });
    const local = bytes.subarray(payload.start, payload.start + payload.local);
    if (shape.name === 'sessions') {
      // How a session was born stands at the start of its row; what may be missing at the end is derived.
      const birth = readSessionRow({ bytes: whole.bytes ?? local, columns, shape });
      if (birth && better({ ...birth, certain }, sessions.get(key))) sessions.set(key, { ...birth, certain });
      if (whole.bytes) ledger.overflow(whole.pages);
      return birth !== undefined;
    }
    const record = whole.bytes && { bytes: whole.bytes, columns, shape };
    if (shape.name === 'entries') {
      if (record && readEntryRow(record)) {
        ledger.overflow(whole.pages);
        keepEntry(key, { seq, place: cellPlace(image, cell.at) }, certain);
        return true;
      }
      const reason = record ? 'its text does not match its checksum' : 'a part of its text is missing';
      if (report) damage(cell, reason, { bytes: certain ? cell.size : 0, pages: whole.pages });
      return false;
    }
    if (shape.name === 'purged') {
      // It has no checksum: text in a damaged page can look like one, unless the page points to it.
      const tombstone = report && record ? readTombstone(record) : undefined;
      if (tombstone) purged.set(tombstone.id, tombstone.at);
      return tombstone !== undefined;
    }
    const blob = record && readBlobRow(record);
    if (blob) {
      ledger.overflow(whole.pages);
      if (certain || !blobs.has(blob.hash))
        blobs.set(blob.hash, { place: cellPlace(image, cell.at), certain });
    } else if (report) {
      ledger.lose(certain ? cell.size : 0, whole.pages);
      const hash = columns[shape.columns.get('hash')!]!;
      damagedBlobs.push(Buffer.from(local.subarray(hash.start, hash.start + hash.size)).toString('hex'));
    }
    return blob !== undefined;
  }

  function keepEntry(key: number, entry: FoundLog['entries'][number], certain: boolean): void {
    const log = logs.get(key) ?? { entries: [], certain: false };
    log.entries.push(entry);
    log.certain ||= certain;
    logs.set(key, log);
  }

  function damage(
    { rowid }: Cell,
    reason: string,
    { bytes, pages }: { bytes: number; pages: readonly number[] },
  ): void {
    ledger.lose(bytes, pages);
    const { high: key, low: seq } = rowid ?? { high: 0, low: 0 };
    damagedEntries.push({ key, seq, reason });
  }

  /** The index of ids has a cell for every entry, also for those that are lost: so it tells how long a log was. */
  function noteId({ payload }: Cell, bytes: Uint8Array): void {
    const position = payload && readIndexedPosition(bytes, payload);
    if (position) heads.set(position.key, Math.max(position.seq, heads.get(position.key) ?? 0));
  }

  /** Indexes and other tables have long rows too; their pages are not lost ones. */
  function coverOverflow({ payload }: Cell, bytes: Uint8Array): void {
    if (!payload || payload.local === payload.length) return;
    const { bytes: record, pages } = readPayload(source, bytes, { payload, taken: ledger.isOverflow });
    if (record) ledger.overflow(pages);
  }

  const found = { sessions, logs, heads, blobs, purged, damagedEntries, damagedBlobs };
  return { found, takePage, takeUncertain };
}

/** Of two versions of a session's row the certain one, or else the one that knows more of its log. */
function better(row: SalvagedSession, known: SalvagedSession | undefined): boolean {
  if (!known || row.certain !== known.certain) return !known || row.certain;
  return row.head > known.head || (row.head === known.head && row.updatedAt > known.updatedAt);
}
