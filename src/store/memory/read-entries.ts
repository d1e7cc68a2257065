import { type Entry, type EntryId, toEntryId } from '../../record/index.ts';
import { decodeBody } from '../decode-entry.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import type { ReadRange } from '../store.ts';
import { findRow, lineageOf, rowsOf } from './lineage.ts';
import type { EntryRow, SessionRow, Tables } from './tables.ts';

export function readEntries(
  tables: Tables,
  session: SessionRow,
  { after, upTo, limit = Number.POSITIVE_INFINITY, order, only }: ReadRange,
): Entry[] {
  const ranges = lineageRanges(lineageOf(tables, session), {
    ...(after !== undefined && { after }),
    ...(upTo !== undefined && { upTo }),
  });
  const wanted = ranges
    .flatMap(rowsOf)
    .filter(({ kind }) => !only || (kind === 'message') === (only === 'messages'));
  if (order === 'newest-first') wanted.reverse();
  return wanted.slice(0, Math.max(limit, 0)).map((row) => toEntry(session, row));
}

export function readEntry(tables: Tables, session: SessionRow, id: EntryId): Entry | undefined {
  const row = findRow(lineageOf(tables, session), toEntryId(id) ?? id);
  return row && toEntry(session, row);
}

/** Decoded anew each time, so that no two callers hold the same object. */
export function toEntry(session: SessionRow, row: Omit<EntryRow, 'totals' | 'blobs'>): Entry {
  return { id: row.id, seq: row.seq, at: row.at, tokens: row.tokens, body: decodeBody(session.id, row) };
}
