import { ThroughlineError } from '../../errors.ts';
import { type Entry, MAX_SEQ, type SessionId } from '../../record/index.ts';
import { type EncodedEntry, entryCrc, storedEntry } from '../entry-format.ts';
import { guardAppend } from '../guard-append.ts';
import { sameBody } from '../same-body.ts';
import type { AppendOptions } from '../store.ts';
import { type Tally, tallyEntry } from '../tally.ts';
import { type EntryRow, toEntry } from './entries-table.ts';
import { makeHot } from './hot-session.ts';
import { lineageOf, rowOf } from './lineage.ts';
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
