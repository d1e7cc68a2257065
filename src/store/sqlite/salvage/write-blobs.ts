import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type BlobRef,
  type Document,
  deriveEntryId,
  EMPTY_STATE,
  FORMAT_VERSION,
  type SessionId,
} from '../../../record/index.ts';
import { type EncodedEntry, entryCrc, storedEntry, toBytes } from '../../entry-format.ts';
import { emptyTally, NO_TOTALS, tallyEntry } from '../../tally.ts';
import type { Tables } from '../tables.ts';
import type { FoundBlob } from './find-rows.ts';
import type { BlobRow } from './read-rows.ts';

export interface WriteBlobs {
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
export async function writeBlobs(
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
