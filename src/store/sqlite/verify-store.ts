import type { DatabaseSync } from 'node:sqlite';
import { equalJson } from '../../record/index.ts';
import type { Problem, SweepOptions, VerifyReport } from '../store.ts';
import { type BlobsTable, sqliteHashOf } from './blobs-table.ts';
import { type Swept, sweepSessions } from './sweep.ts';
import type { Tables } from './tables.ts';

export async function verifyStore(
  db: DatabaseSync,
  tables: Tables,
  options?: SweepOptions,
): Promise<VerifyReport> {
  const problems: Problem[] = checkFile(db);
  const swept = { sessions: 0, entries: 0 };
  for await (const session of sweepSessions(tables, options)) {
    swept.sessions++;
    swept.entries += session.entries;
    problems.push(
      ...session.problems,
      ...checkProjection(tables, session),
      ...checkBlobUses(tables, session),
    );
  }
  const orphans = findOrphans(db);
  problems.push(...orphans);
  const blobs = checkBlobs(tables.blobs, problems);
  const counts = tables.sessions.count();
  return {
    stored: swept.sessions + orphans.length,
    listed: counts.active + counts.archived + counts.trashed + counts.memory,
    entries: swept.entries,
    blobs,
    problems,
  };
}

/** Whether a session's row and index rows are what its log adds up to. */
export function projectionDiffers(tables: Tables, { row, tally }: Swept): boolean {
  const { head, updatedAt, totals, usage, state, damaged } = row;
  return (
    damaged === true ||
    !equalJson({ head, updatedAt, totals, usage, state }, { ...tally }) ||
    !equalJson(
      tables.tags.bySession(row.key),
      [...new Set(state.tags.map((tag) => tag.toWellFormed()))].sort(byCodePoint),
    )
  );
}

/** SQLite orders text by its UTF-8 bytes, which is the order of code points, not of UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function checkFile(db: DatabaseSync): Problem[] {
  return db
    .prepare('pragma integrity_check(20)')
    .all()
    .map((row) => String(row.integrity_check))
    .filter((line) => line !== 'ok')
    .map((message) => ({ code: 'file-damaged' as const, message }));
}

function checkProjection(tables: Tables, swept: Swept): Problem[] {
  if (swept.problems.length > 0 || !projectionDiffers(tables, swept)) return [];
  const message = `What lists show of session "${swept.row.id}" is not what its log says. Making the list anew puts it right.`;
  return [{ code: 'projection-differs', session: swept.row.id, message }];
}

function checkBlobUses(tables: Tables, { row, blobs }: Swept): Problem[] {
  const uses = new Set(tables.blobs.uses(row.key));
  return [...blobs].flatMap((hash): Problem[] => {
    if (tables.blobs.bytes(hash) === undefined) {
      return [
        {
          code: 'blob-missing',
          session: row.id,
          message: `Session "${row.id}" refers to blob ${hash}, which is not there.`,
        },
      ];
    }
    if (uses.has(hash)) return [];
    return [
      {
        code: 'projection-differs',
        session: row.id,
        message: `Blob ${hash} is used by session "${row.id}" but not counted.`,
      },
    ];
  });
}

function checkBlobs(blobs: BlobsTable, problems: Problem[]): number {
  let count = 0;
  for (let blob = blobs.next(0); blob; blob = blobs.next(blob.key)) {
    count++;
    if (sqliteHashOf(blob.bytes) !== blob.hash) {
      problems.push({ code: 'blob-damaged', message: `Blob ${blob.hash} does not match its hash.` });
    }
  }
  return count;
}

/** Entries whose session row is gone: stored, but in no list. */
function findOrphans(db: DatabaseSync): Problem[] {
  const next = db.prepare(
    'select position >> 32 as key from entries where position >= ((?1 + 1) << 32) order by position limit 1',
  );
  const known = db.prepare('select 1 from sessions where key = ?');
  const problems: Problem[] = [];
  for (let row = next.get(0); row; row = next.get(row.key as number)) {
    if (known.get(row.key as number)) continue;
    problems.push({
      code: 'seq-gap',
      message: `Entries are stored under key ${row.key}, but no session lists them.`,
    });
  }
  return problems;
}
