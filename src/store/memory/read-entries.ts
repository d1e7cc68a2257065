import { type Entry, type EntryId, type Seq, toEntryId } from '../../record/index.ts';
import { decodeBody } from '../entry-format.ts';
import { lineageRanges, type Segment } from '../lineage-ranges.ts';
import type { ReadRange } from '../store.ts';
import { type EntryRow, rowOf, type SessionRow, type Tables } from './tables.ts';

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

/** Where a session's own entries start: after what it shares with the session it was forked from. */
export function sharedUpTo({ parent }: SessionRow): Seq {
  return parent?.relation === 'fork' ? parent.seq : 0;
}

/** The sessions whose entries this one sees, oldest first: its forebears up to where each was forked, and itself. */
export function lineageOf(tables: Tables, row: SessionRow): Segment<SessionRow>[] {
  const segments: Segment<SessionRow>[] = [];
  let upTo = row.tally.head;
  for (let current = row; ; current = rowOf(tables, current.parent!.session)) {
    const after = sharedUpTo(current);
    segments.unshift({ key: current, after, upTo });
    if (current.parent?.relation !== 'fork') return segments;
    upTo = Math.min(upTo, after);
  }
}

/** The rows of one segment. A session's own seqs have no gaps, so they are found by counting. */
export function rowsOf({ key, after, upTo }: Segment<SessionRow>): EntryRow[] {
  const shared = sharedUpTo(key);
  return key.entries.slice(after - shared, upTo - shared);
}

export function findRow(lineage: readonly Segment<SessionRow>[], id: EntryId): EntryRow | undefined {
  for (const { key, upTo } of lineage) {
    const row = key.byId.get(id);
    if (row && row.seq <= upTo) return row;
  }
  return undefined;
}
