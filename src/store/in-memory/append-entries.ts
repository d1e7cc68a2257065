import { ThroughlineError } from '../../errors.ts';
import { type Entry, type EntryId, MAX_SEQ, type SessionId } from '../../record/index.ts';
import type { EncodedEntry } from '../entry-format.ts';
import { guardAppend } from '../guard-append.ts';
import { sameBody } from '../same-body.ts';
import type { AppendOptions } from '../store.ts';
import { tallyEntry } from '../tally.ts';
import { useBlob } from './blobs.ts';
import { findRowInMemory, lineageOfInMemory, toMemoryEntry } from './read-entries.ts';
import type { MemoryEntryRow, MemorySessionRow, MemoryTables } from './tables.ts';

/**
 * Repeats are answered from the log, the rest is written behind it. Throws before the first write or not at all. Ids are
 * looked up even when they are said to be fresh: here that costs nothing.
 */
export function appendEntriesInMemory(
  tables: MemoryTables,
  session: MemorySessionRow,
  entries: readonly EncodedEntry[],
  { options, now }: { options: AppendOptions; now: number },
): Entry[] {
  const known = findRepeats(tables, session, entries);
  const fresh = findFresh(session.id, entries, known);
  if (fresh.length > 0) {
    const { lease, tally } = session;
    const bodies = fresh.map(({ body }) => body);
    guardAppend(session.id, { head: tally.head, lease, now, bodies }, options);
    if (tally.head + fresh.length > MAX_SEQ) throw full(session.id);
    for (const encoded of fresh) known.set(encoded.id, write(tables, session, encoded));
  }
  return entries.map(({ id }) => toMemoryEntry(session, known.get(id)!));
}

/** Entries whose id is in the log already, here or in the part shared with a parent. Another body is a conflict. */
function findRepeats(
  tables: MemoryTables,
  session: MemorySessionRow,
  entries: readonly EncodedEntry[],
): Map<EntryId, MemoryEntryRow> {
  const known = new Map<EntryId, MemoryEntryRow>();
  const lineage = lineageOfInMemory(tables, session);
  for (const { id, body, named } of entries) {
    const row = named ? findRowInMemory(lineage, id) : undefined;
    if (!row) continue;
    if (!sameBody(toMemoryEntry(session, row).body, body)) throw conflict(session.id, id);
    known.set(id, row);
  }
  return known;
}

/** What has to be written. The same id twice in one call is one entry, if it is the same entry. */
function findFresh(
  session: SessionId,
  entries: readonly EncodedEntry[],
  known: ReadonlyMap<EntryId, MemoryEntryRow>,
): EncodedEntry[] {
  const fresh = new Map<EntryId, EncodedEntry>();
  for (const entry of entries) {
    const first = fresh.get(entry.id);
    if (first && !sameBody(first.body, entry.body)) throw conflict(session, entry.id);
    if (!first && !known.has(entry.id)) fresh.set(entry.id, entry);
  }
  return [...fresh.values()];
}

function write(tables: MemoryTables, session: MemorySessionRow, encoded: EncodedEntry): MemoryEntryRow {
  const { id, at, tokens, kind, version, json, crc } = encoded;
  const stored = { id, seq: session.tally.head + 1, at, tokens, kind, version, json, crc };
  session.tally = tallyEntry(session.tally, toMemoryEntry(session, stored));
  const row = { ...stored, totals: session.tally.totals, blobs: encoded.blobs.map(({ hash }) => hash) };
  session.entries.push(row);
  session.byId.set(id, row);
  for (const blob of encoded.blobs) useBlob(tables, blob);
  return row;
}

function full(session: SessionId): ThroughlineError {
  const message = `Session "${session}" is full: ${MAX_SEQ} entries. Resume it into a new one.`;
  return new ThroughlineError('entry-invalid', message, { details: { session } });
}

function conflict(session: SessionId, id: EntryId): ThroughlineError {
  return new ThroughlineError(
    'entry-conflict',
    `Entry ${id} is in session "${session}" already, with another body. Nothing was written; give the new entry its own id.`,
    { details: { session, entry: id } },
  );
}
