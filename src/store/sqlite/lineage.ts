import {
  canonicalSessionId,
  type Entry,
  type EntryId,
  isUuid,
  type SessionId,
  toEntryId,
} from '../../record/index.ts';
import { lineageRanges, type Segment } from '../lineage-ranges.ts';
import { sessionGone, sessionNotFound } from '../session-errors.ts';
import type { EntryName, ReadRange } from '../store.ts';
import { currentRow } from './hot-session.ts';
import { otherSpellings } from './other-spellings.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

/** The sessions whose entries this one sees, oldest first: its forebears up to where each was forked, and itself. */
export function lineageOf({ sessions }: Tables, row: SessionRow): Segment<number>[] {
  const segments: Segment<number>[] = [];
  let upTo = row.head;
  for (let current = row; ; ) {
    const parent = current.parent?.relation === 'fork' ? current.parent : undefined;
    segments.unshift({ key: current.key, after: parent?.seq ?? 0, upTo });
    if (!parent) return segments;
    upTo = Math.min(upTo, parent.seq);
    const next = sessions.byId(parent.session);
    if (!next)
      throw new Error(`bug: session "${current.id}" shares entries of "${parent.session}", which is gone`);
    current = next;
  }
}

/** Inside a transaction. */
export function rowOf(tables: Tables, id: SessionId): SessionRow {
  const known = tables.cache.get(id)?.row;
  if (known) return known;
  const row = findRow(tables, id);
  if (row) return currentRow(tables, row);
  const purgedAt = purgedTime(tables, id);
  throw purgedAt === undefined ? sessionNotFound(id) : sessionGone(id, purgedAt);
}

/**
 * The session with this id. A UUID is one id in every spelling, but a store of an older version may hold two spellings as
 * two sessions: the exact one is meant, also when it was purged, and then the one in lower case.
 */
export function findRow({ sessions, purged }: Tables, id: SessionId): SessionRow | undefined {
  const exact = sessions.byId(id);
  if (exact || !isUuid(id) || purged.at(id) !== undefined) return exact;
  for (const spelling of otherSpellings(sessions, id)) {
    const row = sessions.byId(spelling);
    if (row) return row;
  }
  return undefined;
}

/** When the session with this id was purged, if it was. */
export function purgedTime({ purged }: Tables, id: SessionId): number | undefined {
  const spellings = isUuid(id) ? otherSpellings(purged, id) : [];
  for (const spelling of [id, ...spellings]) {
    const at = purged.at(spelling);
    if (at !== undefined) return at;
  }
  return undefined;
}

/** The id as it is stored, of a session or of a tombstone; of a new session as it will be. */
export function keptId(tables: Tables, id: SessionId): SessionId {
  if (!isUuid(id) || tables.cache.get(id) || tables.purged.at(id) !== undefined) return id;
  return findRow(tables, id)?.id ?? canonicalSessionId(id);
}

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
  const row = findRow(tables, session);
  if (row && row.id !== session) return readEntry(tables, currentRow(tables, row), entry);
  return row?.parent?.relation === 'fork' ? readEntry(tables, currentRow(tables, row), entry) : undefined;
}
