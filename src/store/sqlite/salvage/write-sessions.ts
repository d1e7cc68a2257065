import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import { EMPTY_STATE, plainBody } from '../../../record/index.ts';
import { blobHashes } from '../../blob-hashes.ts';
import { resultCode } from '../../driver-error.ts';
import { decodeBody, type EncodedEntry, storedEntry, toBytes } from '../../entry-format.ts';
import { emptyTally, NO_TOTALS, type Tally, tallyEntry } from '../../tally.ts';
import { createSession } from '../create-session.ts';
import { rowOf } from '../lineage.ts';
import type { Tables } from '../tables.ts';
import type { PlacedEntry } from './lay-out-log.ts';
import type { LossList } from './loss-list.ts';
import { lostEntry } from './lost-entry.ts';
import type { DamagedBySession, SessionPlan } from './plan-sessions.ts';
import type { EntryRow } from './read-rows.ts';

export interface WriteSessions {
  readonly readEntry: (place: PlacedEntry['place']) => EntryRow | undefined;
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
export async function writeSessions(
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
  function encodeAgain(plan: SessionPlan, seq: number, row: EntryRow | undefined): EncodedEntry | Loss {
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
    createSession(tables, { id, parent, createdAt }, { entries: [], now: createdAt });
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
