import { EMPTY_STATE, type Entry, equalJson, foldEntry, forkState, type Totals } from '../../record/index.ts';
import { blobHashes } from '../blob-hashes.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import type { Problem } from '../store.ts';
import { countEntry, emptyTally, NO_TOTALS, type Tally, tallyEntry } from '../tally.ts';
import { readBlob } from './blobs.ts';
import { lineageOfInMemory, rowsOfInMemory, sharedUpTo, toMemoryEntry } from './read-entries.ts';
import type { MemoryEntryRow, MemorySessionRow, MemoryTables } from './tables.ts';

/** One session read from its first entry to its last, and what it adds up to, from nothing but the entries. */
export interface SweptInMemory {
  readonly tally: Tally;
  readonly totals: readonly Totals[];
  /** What cannot be read. */
  readonly damage: readonly Problem[];
  /** Projections that differ from the log. */
  readonly differences: readonly Problem[];
}

export function sweepSession(tables: MemoryTables, session: MemorySessionRow): SweptInMemory {
  const damage: Problem[] = [];
  const totals: Totals[] = [];
  let tally = bornTally(tables, session, damage);
  for (const row of session.entries) {
    if (row.seq !== tally.head + 1) damage.push(gap(session, row));
    const entry = readable(session, row, damage);
    tally = entry ? tallyEntry(tally, entry) : { ...tally, head: row.seq };
    totals.push(tally.totals);
    if (entry) damage.push(...checkBlobs(tables, session, entry));
  }
  const kept = { tally: session.tally, totals: session.entries.map((row) => row.totals) };
  return { tally, totals, damage, differences: equalJson(kept, { tally, totals }) ? [] : [differs(session)] };
}

function bornTally(tables: MemoryTables, session: MemorySessionRow, damage: Problem[]): Tally {
  const head = sharedUpTo(session);
  const shared = lineageRanges(lineageOfInMemory(tables, session), { upTo: head })
    .flatMap(rowsOfInMemory)
    .flatMap((row) => readable(session, row, damage) ?? []);
  return emptyTally({
    head,
    createdAt: session.createdAt,
    totals: shared.reduce(countEntry, NO_TOTALS),
    state: forkState(shared.reduce(foldEntry, EMPTY_STATE)),
  });
}

function readable(session: MemorySessionRow, row: MemoryEntryRow, damage: Problem[]): Entry | undefined {
  try {
    return toMemoryEntry(session, row);
  } catch (error) {
    const message = (error as Error).message;
    damage.push({ code: 'entry-unreadable', session: session.id, entry: row.id, message });
    return undefined;
  }
}

function checkBlobs(tables: MemoryTables, session: MemorySessionRow, { id, body }: Entry): Problem[] {
  return [...blobHashes(body)].flatMap((hash): Problem[] => {
    try {
      readBlob(tables, hash);
      return [];
    } catch (error) {
      const code = tables.blobs.has(hash) ? 'blob-damaged' : 'blob-missing';
      return [{ code, session: session.id, entry: id, message: (error as Error).message }];
    }
  });
}

function gap(session: MemorySessionRow, row: MemoryEntryRow): Problem {
  const message = `Session "${session.id}" lacks what came before entry ${row.seq}.`;
  return { code: 'seq-gap', session: session.id, entry: row.id, message };
}

function differs(session: MemorySessionRow): Problem {
  const message = `What lists show of session "${session.id}" is not what its log says.`;
  return { code: 'projection-differs', session: session.id, message };
}
