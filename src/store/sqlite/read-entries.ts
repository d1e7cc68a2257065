import { type Entry, type EntryId, toEntryId } from '../../record/index.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import type { EntryName, ReadRange } from '../store.ts';
import { currentRow } from './hot-session.ts';
import { lineageOf } from './lineage.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

export function readEntries(
  tables: Tables,
  row: SessionRow,
  { after = 0, upTo = row.head, limit = Number.POSITIVE_INFINITY, order = 'oldest-first', only }: ReadRange,
): Entry[] {
  const newestFirst = order === 'newest-first';
  const ranges = lineageRanges(lineageOf(tables, row), { after, upTo });
  const found: Entry[] = [];
  for (const range of newestFirst ? ranges.reverse() : ranges) {
    const left = limit - found.length;
    if (left <= 0) break;
    const page = tables.entries.read(row.id, {
      ...range,
      limit: Number.isFinite(left) ? left : -1,
      newestFirst,
      only: only ?? 'all',
    });
    found.push(...page);
  }
  return found;
}

export function readEntry(tables: Tables, row: SessionRow, id: EntryId): Entry | undefined {
  // Ids are looked up by their bytes, which more than one spelling would give.
  const known = toEntryId(id);
  if (known === undefined) return undefined;
  for (const segment of lineageOf(tables, row).reverse()) {
    const entry = tables.entries.byId(row.id, segment, known);
    if (entry) return entry;
  }
  return undefined;
}

/** Most are asked for in the session that owns them, which takes one look. */
export function readNamed(tables: Tables, { session, entry: asked }: EntryName): Entry | undefined {
  const entry = toEntryId(asked);
  if (entry === undefined) return undefined;
  const own = tables.entries.own(session, entry);
  if (own) return own;
  const row = tables.sessions.byId(session);
  if (row && row.id !== session) return readEntry(tables, currentRow(tables, row), entry);
  return row?.parent?.relation === 'fork' ? readEntry(tables, currentRow(tables, row), entry) : undefined;
}
