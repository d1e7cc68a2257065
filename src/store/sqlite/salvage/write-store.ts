import { DatabaseSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type BlobRef,
  type Document,
  deriveEntryId,
  EMPTY_STATE,
  FORMAT_VERSION,
  plainBody,
  type SessionId,
} from '../../../record/index.ts';
import { blobHashes } from '../../blob-hashes.ts';
import { resultCode } from '../../driver-error.ts';
import { decodeBody, type EncodedEntry, entryCrc, storedEntry, toBytes } from '../../entry-format.ts';
import { emptyTally, NO_TOTALS, type Tally, tallyEntry } from '../../tally.ts';
import { rowOf } from '../append-entries.ts';
import { createSessionRows } from '../create-session.ts';
import { migrate } from '../migrate.ts';
import { openTables, type Tables } from '../tables.ts';
import type { FoundBlob, FoundRow } from './find-rows.ts';
import { type LossList, lostEntry } from './losses.ts';
import type { SalvageSource } from './open-source.ts';
import { type DamagedBySession, freeSalvageId, type PlacedEntry, type SessionPlan } from './plan-sessions.ts';
import { readBlobAt, readEntryAt } from './read-directory.ts';
import type { BlobRow, SalvagedEntryRow } from './read-rows.ts';
import type { Schema } from './table-shapes.ts';

interface Writing {
  readonly source: SalvageSource;
  readonly schema: Schema;
  readonly found: FoundRow;
  readonly plans: readonly SessionPlan[];
  readonly damaged: DamagedBySession;
  readonly losses: LossList;
  readonly onProgress: (fraction: number) => void;
}

/** Writes found rows, in order, reading each row from the damaged file when its turn comes. */
export async function writeStore(
  file: string,
  { source, schema, found, plans, damaged, losses, onProgress }: Writing,
): Promise<void> {
  const db = new DatabaseSync(file);
  try {
    // Nothing here has to survive a crash: the file gets its name only when it is complete.
    db.exec('pragma journal_mode = wal; pragma synchronous = off');
    migrate(db);
    const tables = openTables(db);
    const total = plans.reduce((sum, { after, upTo }) => sum + upTo - after, 0);
    let done = 0;
    const users = await writeSessions(db, tables, plans, {
      readEntry: (place) => readEntryAt(source, schema, place),
      damaged,
      losses,
      onWritten(entries) {
        done += entries;
        onProgress(total === 0 ? 1 : done / total);
      },
    });
    await writeBlobs(db, tables, found.blobs, {
      readBlob: ({ place }) => readBlobAt(source, schema, place),
      users,
      unclaimedId: unclaimedId(plans, found),
      now: Date.now(),
    });
    const saved = new Set(plans.map(({ id }) => id));
    for (const [id, at] of found.purged) if (!saved.has(id)) tables.purged.add(id, at);
  } finally {
    db.close();
  }
}

function unclaimedId(plans: readonly SessionPlan[], { purged }: FoundRow): SessionId {
  return freeSalvageId('salvaged_blobs', [...plans.map(({ id }) => id), ...purged.keys()]);
}

interface WriteSessions {
  readonly readEntry: (place: PlacedEntry['place']) => SalvagedEntryRow | undefined;
  readonly damaged: DamagedBySession;
  readonly losses: LossList;
  /** Called with the number of entries written since the last time. */
  readonly onWritten: (entries: number) => void;
}

/** Why an entry is not there. */
interface Loss {
  readonly reason: string;
}

const ENTRIES_AT_ONCE = 1000;
const CONSTRAINT = 19;

/** Writes the logs, in order, and returns for each blob they refer to the key of a session that does. */
async function writeSessions(
  db: DatabaseSync,
  tables: Tables,
  plans: readonly SessionPlan[],
  { readEntry, damaged, losses, onWritten }: WriteSessions,
): Promise<Map<string, number>> {
  const blobUsers = new Map<string, number>();
  db.exec('begin');
  for (const plan of plans) await writeSession(plan);
  db.exec('commit');
  return blobUsers;

  async function writeSession(plan: SessionPlan): Promise<void> {
    for (const reason of plan.notes) losses.add({ session: plan.id, reason });
    bearSession(tables, plan, plan.createdAt ?? firstTime(plan, readEntry));
    const row = rowOf(tables, plan.id);
    let tally: Tally = row;
    let at = row.createdAt;
    let next = 0;
    let waiting = 0;
    for (let seq = plan.after + 1; seq <= plan.upTo; seq++) {
      const placed = plan.entries[next]?.seq === seq ? plan.entries[next++] : undefined;
      const encoded = encodeAgain(plan, seq, placed && readEntry(placed.place));
      const written = insert(row.key, encoded, { tally, seq });
      if ('reason' in written) {
        const lost = lostEntry(seq, { ...written, at });
        tally = tallyEntry(tally, storedEntry(lost, seq));
        tables.entries.insert(row.key, lost, tally);
        losses.addEntry(plan.id, seq, written.reason);
      } else ({ tally, at } = written);
      if (++waiting === ENTRIES_AT_ONCE) {
        await pause(waiting);
        waiting = 0;
      }
    }
    tables.sessions.setTally(row.key, tally);
    tables.tags.replace(row.key, tally.state.tags);
    onWritten(waiting);
  }

  /** The row exactly as it was. An intact one that cannot be understood is a loss too, with the reason in words. */
  function encodeAgain(
    plan: SessionPlan,
    seq: number,
    row: SalvagedEntryRow | undefined,
  ): EncodedEntry | Loss {
    if (!row) return { reason: damaged.get(plan.key ?? 0)?.get(seq) ?? 'nothing of it was found' };
    try {
      const body = decodeBody(plan.id, { ...row, seq });
      return { ...row, body, kind: plainBody(body).kind, bytes: toBytes(row.json), blobs: [], named: true };
    } catch (error) {
      return { reason: `it is intact but cannot be understood: ${(error as Error).message}` };
    }
  }

  function insert(
    key: number,
    encoded: EncodedEntry | Loss,
    { tally, seq }: { tally: Tally; seq: number },
  ): { tally: Tally; at: number } | Loss {
    if ('reason' in encoded) return encoded;
    const after = tallyEntry(tally, storedEntry(encoded, seq));
    try {
      tables.entries.insert(key, encoded, after);
    } catch (error) {
      // Only the checks of the table say no to one row; everything else is the disk's trouble and ends the salvage.
      if (resultCode(error) !== CONSTRAINT) throw error;
      return { reason: `it contradicts another entry: ${(error as Error).message}` };
    }
    for (const hash of blobHashes(encoded.body)) {
      tables.blobs.use(key, hash);
      if (!blobUsers.has(hash)) blobUsers.set(hash, key);
    }
    return { tally: after, at: encoded.at };
  }

  async function pause(written: number): Promise<void> {
    onWritten(written);
    db.exec('commit');
    await breathe();
    db.exec('begin');
  }
}

function bearSession(tables: Tables, { id, parent, after }: SessionPlan, createdAt: number): void {
  if (parent?.relation === 'fork') {
    createSessionRows(tables, { id, parent, createdAt }, { entries: [], now: createdAt });
    return;
  }
  // The parent of a resumed session may be gone, and nothing is taken over from it.
  const born = emptyTally({ head: after, createdAt, totals: NO_TOTALS, state: EMPTY_STATE });
  tables.sessions.insert({ id, parent, createdAt }, born);
}

/** When a session without a row began: with its first entry, as far as one can tell. */
function firstTime({ entries }: SessionPlan, readEntry: WriteSessions['readEntry']): number {
  const first = entries[0] && readEntry(entries[0].place);
  return first?.at ?? Date.now();
}

interface WriteBlobs {
  readonly readBlob: (blob: FoundBlob) => BlobRow | undefined;
  /** For each blob that the logs refer to, the key of a session that does. */
  readonly users: ReadonlyMap<string, number>;
  readonly unclaimedId: SessionId;
  readonly now: number;
}

/**
 * Writes the blobs, one in memory at a time. Those whose entries were lost become documents of a separate session, where they
 * can be found and, with it, deleted.
 */
async function writeBlobs(
  db: DatabaseSync,
  tables: Tables,
  blobs: ReadonlyMap<string, FoundBlob>,
  { readBlob, users, unclaimedId, now }: WriteBlobs,
): Promise<void> {
  const born = emptyTally({ head: 0, createdAt: now, totals: NO_TOTALS, state: EMPTY_STATE });
  let unclaimed: { key: number; tally: typeof born } | undefined;
  for (const [hash, found] of blobs) {
    const user = users.get(hash);
    // Unclaimed and only seen in a damaged page: it may have been purged.
    const blob = user !== undefined || found.certain ? readBlob(found) : undefined;
    if (!blob) continue;
    db.exec('begin');
    if (user === undefined) unclaimed = file(blob);
    else tables.blobs.put(user, blob);
    db.exec('commit');
    await breathe();
  }

  function file(blob: BlobRow) {
    const session = { id: unclaimedId, parent: undefined, createdAt: now };
    const { key, tally } = unclaimed ?? { key: tables.sessions.insert(session, born)!, tally: born };
    const encoded = documentOf(blob, now);
    const after = tallyEntry(tally, storedEntry(encoded, tally.head + 1));
    tables.entries.insert(key, encoded, after);
    tables.blobs.put(key, blob);
    tables.sessions.setTally(key, after);
    return { key, tally: after };
  }
}

/** Written by hand: the usual way in would take the reference for a host's object and wrap it. */
function documentOf({ hash, bytes }: BlobRow, at: number): EncodedEntry {
  const content: BlobRef = { $blob: hash, as: 'bytes', bytes: bytes.length, preview: '' };
  const title = `Found without the entry it belongs to (${bytes.length} bytes)`;
  const body: Document = { kind: 'document', id: hash, title, content };
  const json = JSON.stringify(body);
  const id = deriveEntryId('unclaimed-blob', hash);
  const text = toBytes(json);
  const crc = entryCrc({ id, at, json: text });
  const written = { kind: body.kind, version: FORMAT_VERSION, json, bytes: text, crc };
  return { id, at, tokens: 0, body, ...written, blobs: [], named: true };
}
