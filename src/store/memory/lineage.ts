import type { EntryId, Seq } from '../../record/index.ts';
import type { Segment } from '../lineage-ranges.ts';
import { type EntryRow, rowOf, type SessionRow, type Tables } from './tables.ts';

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
