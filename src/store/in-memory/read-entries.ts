import { type Entry, type EntryId, type Seq, toEntryId } from '../../record/index.ts';
import { decodeBody } from '../entry-format.ts';
import { lineageRanges, type Segment } from '../lineage-ranges.ts';
import type { ReadRange } from '../store.ts';
import { type MemoryEntryRow, type MemorySessionRow, type MemoryTables, rowOfInMemory } from './tables.ts';

export function readMemoryEntries(
  tables: MemoryTables,
  session: MemorySessionRow,
  { after, upTo, limit = Number.POSITIVE_INFINITY, order, only }: ReadRange,
): Entry[] {
  const ranges = lineageRanges(lineageOfInMemory(tables, session), {
    ...(after !== undefined && { after }),
    ...(upTo !== undefined && { upTo }),
  });
  const wanted = ranges
    .flatMap(rowsOfInMemory)
    .filter(({ kind }) => !only || (kind === 'message') === (only === 'messages'));
  if (order === 'newest-first') wanted.reverse();
  return wanted.slice(0, Math.max(limit, 0)).map((row) => toMemoryEntry(session, row));
}

export function readEntryInMemory(
  tables: MemoryTables,
  session: MemorySessionRow,
  id: EntryId,
): Entry | undefined {
  const row = findRowInMemory(lineageOfInMemory(tables, session), toEntryId(id) ?? id);
  return row && toMemoryEntry(session, row);
}

/** Decoded anew each time, so that no two callers hold the same object. */
export function toMemoryEntry(
  session: MemorySessionRow,
  row: Omit<MemoryEntryRow, 'totals' | 'blobs'>,
): Entry {
  return { id: row.id, seq: row.seq, at: row.at, tokens: row.tokens, body: decodeBody(session.id, row) };
}

/** Where a session's own entries start: after what it shares with the session it was forked from. */
export function sharedUpTo({ parent }: MemorySessionRow): Seq {
  return parent?.relation === 'fork' ? parent.seq : 0;
}

/** The sessions whose entries this one sees, oldest first: its forebears up to where each was forked, and itself. */
export function lineageOfInMemory(tables: MemoryTables, row: MemorySessionRow): Segment<MemorySessionRow>[] {
  const segments: Segment<MemorySessionRow>[] = [];
  let upTo = row.tally.head;
  for (let current = row; ; current = rowOfInMemory(tables, current.parent!.session)) {
    const after = sharedUpTo(current);
    segments.unshift({ key: current, after, upTo });
    if (current.parent?.relation !== 'fork') return segments;
    upTo = Math.min(upTo, after);
  }
}

/** The rows of one segment. A session's own seqs have no gaps, so they are found by counting. */
export function rowsOfInMemory({ key, after, upTo }: Segment<MemorySessionRow>): MemoryEntryRow[] {
  const shared = sharedUpTo(key);
  return key.entries.slice(after - shared, upTo - shared);
}

export function findRowInMemory(
  lineage: readonly Segment<MemorySessionRow>[],
  id: EntryId,
): MemoryEntryRow | undefined {
  for (const { key, upTo } of lineage) {
    const row = key.byId.get(id);
    if (row && row.seq <= upTo) return row;
  }
  return undefined;
}
