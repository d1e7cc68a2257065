import { ThroughlineError } from '../../errors.ts';
import {
  canonicalSessionId,
  type Entry,
  type EntryId,
  isUuid,
  MAX_SEQ,
  type SessionId,
  toEntryId,
} from '../../record/index.ts';
import { type EncodedEntry, entryCrc, storedEntry } from '../entry-format.ts';
import { guardAppend } from '../guard-append.ts';
import { lineageRanges, type Segment } from '../lineage-ranges.ts';
import { sameBody } from '../same-body.ts';
import { sessionGone, sessionNotFound } from '../session-errors.ts';
import type { AppendOptions, EntryName, ReadRange } from '../store.ts';
import { type Tally, tallyEntry } from '../tally.ts';
import { type EntryRow, toEntry } from './entries-table.ts';
import { currentRow, makeHot } from './hot-session.ts';
import { otherSpellings } from './other-spellings.ts';
import type { KnownRow, SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

/** Inside a transaction: repeats are answered from the log, the rest is written behind it. */
export function appendEntries(
  tables: Tables,
  id: SessionId,
  entries: readonly EncodedEntry[],
  { options, now }: { options: AppendOptions; now: number },
): Entry[] {
  const known = knownRow(tables, id);
  const { row, lease } = known;
  if (options.freshIds && entries.length > 0) {
    guardAppend(id, { head: row.head, lease, now, bodies: entries.map(({ body }) => body) }, options);
    return write(tables, known, entries);
  }
  const found = findRepeats(tables, row, entries);
  const fresh = findFresh(id, entries, found);
  if (fresh.length > 0) {
    guardAppend(id, { head: row.head, lease, now, bodies: fresh.map(({ body }) => body) }, options);
    for (const entry of write(tables, known, fresh)) found.set(entry.id, entry);
  }
  return entries.map((entry) => found.get(entry.id)!);
}

function knownRow(tables: Tables, id: SessionId): KnownRow {
  const cached = tables.cache.get(id);
  if (cached) return cached;
  const row = rowOf(tables, id);
  if (row.damaged) {
    throw new ThroughlineError(
      'store-damaged',
      `What lists show of session "${id}" cannot be read; its log is whole, and the list has to be made anew from it first.`,
      { details: { session: id, mend: 'rebuild' } },
    );
  }
  return { row, lease: tables.leases.bySession(row.key), hot: tables.hot.key() === row.key };
}

function write(tables: Tables, { row, lease, hot }: KnownRow, fresh: readonly EncodedEntry[]): Entry[] {
  const { key } = row;
  if (row.head + fresh.length > MAX_SEQ) {
    throw new ThroughlineError(
      'entry-invalid',
      `Session "${row.id}" is full: ${MAX_SEQ} entries. Resume it into a new one.`,
    );
  }
  let tally: Tally = row;
  const written = fresh.map((encoded) => {
    const entry = storedEntry(encoded, tally.head + 1);
    tally = tallyEntry(tally, entry);
    tables.entries.insert(key, encoded, tally);
    for (const blob of encoded.blobs) tables.blobs.put(key, blob);
    return entry;
  });
  if (!hot) {
    tables.cache.clear();
    makeHot(tables, key);
  }
  if (tally.state !== row.state) tables.sessions.setTally(key, tally);
  if (tally.state.tags !== row.state.tags) tables.tags.replace(key, tally.state.tags);
  tables.cache.set(row.id, { row: { ...row, ...tally }, lease, hot: true });
  return written;
}

/** Entries whose id is in the log already, here or in the part shared with a parent. Another body is a conflict. */
function findRepeats(tables: Tables, row: SessionRow, entries: readonly EncodedEntry[]): Map<string, Entry> {
  const known = new Map<string, Entry>();
  const named = entries.filter((entry) => entry.named);
  if (named.length === 0) return known;
  const lineage =
    row.parent?.relation === 'fork' ? lineageOf(tables, row) : [{ key: row.key, after: 0, upTo: row.head }];
  for (const encoded of named) {
    for (const segment of lineage.toReversed()) {
      const stored = tables.entries.rowById(segment, encoded.id);
      if (!stored) continue;
      const same = sameText(stored, encoded);
      const entry = same ?? toEntry(row.id, stored);
      if (!same && !sameBody(entry.body, encoded.body)) throw conflict(row.id, encoded.id);
      known.set(entry.id, entry);
      break;
    }
  }
  return known;
}

/** The stored entry, if it is intact and its body the same to the letter: most repeats are, and need no parsing. */
function sameText(
  [seq, , at, tokens, version, crc, text]: EntryRow,
  { id, body, version: current, json, bytes }: EncodedEntry,
): Entry | undefined {
  const same = version === current && text === json && entryCrc({ id, at, json: bytes }) === crc;
  return same ? { id, seq, at, tokens, body } : undefined;
}

/** What has to be written. The same id twice in one call is one entry, if it is the same entry. */
function findFresh(
  session: SessionId,
  entries: readonly EncodedEntry[],
  found: ReadonlyMap<string, Entry>,
): EncodedEntry[] {
  const fresh = new Map<string, EncodedEntry>();
  for (const entry of entries) {
    const first = fresh.get(entry.id);
    if (first && !sameBody(first.body, entry.body)) throw conflict(session, entry.id);
    if (!first && !found.has(entry.id)) fresh.set(entry.id, entry);
  }
  return [...fresh.values()];
}

function conflict(session: string, id: string): ThroughlineError {
  return new ThroughlineError(
    'entry-conflict',
    `Entry ${id} is in "${session}" already, with another body. Nothing was written; give the new entry its own id.`,
    { details: { session, entry: id } },
  );
}

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
