import { encodeEntry } from '../entry-format.ts';
import { entryGone } from '../entry-gone.ts';
import { leaseHeld } from '../guard-append.ts';
import type { PurgeReport, RewrittenEntry } from '../store.ts';
import { releaseBlobs, useBlob } from './blobs.ts';
import { sharedUpTo } from './read-entries.ts';
import { sweepSession } from './sweep.ts';
import type { SessionRow, Tables } from './tables.ts';

export function rewriteEntries(
  tables: Tables,
  session: SessionRow,
  { entries, now }: { entries: readonly RewrittenEntry[]; now: number },
): PurgeReport {
  const { id: name, lease, byId } = session;
  if (lease && lease.expiresAt > now) throw leaseHeld(name, lease);
  // Everything that can fail comes before the first write.
  const written = entries.map(({ id, body }) => {
    const row = byId.get(id);
    if (!row) throw entryGone(name, id);
    return { row, encoded: encodeEntry({ id, at: row.at, body }, now) };
  });
  const freed: number[] = [];
  let bytes = 0;
  for (const { row, encoded } of written) {
    const { tokens, kind, version, json, crc, blobs } = encoded;
    const now = { ...row, tokens, kind, version, json, crc, blobs: blobs.map(({ hash }) => hash) };
    for (const blob of blobs) useBlob(tables, blob);
    freed.push(...releaseBlobs(tables, { ...session, entries: [row] }));
    session.entries[row.seq - sharedUpTo(session) - 1] = now;
    byId.set(row.id, now);
    bytes += json.length;
  }
  foldAgain(tables, session);
  return {
    entries: written.length,
    blobs: freed.length,
    bytes: freed.reduce((sum, size) => sum + size, bytes),
  };
}

/** Derives what stands beside a log again, and then that of its forks. */
function foldAgain(tables: Tables, session: SessionRow): void {
  const { tally, totals } = sweepSession(tables, session);
  session.tally = tally;
  for (const [index, row] of session.entries.entries()) row.totals = totals[index]!;
  for (const fork of tables.sessions.values())
    if (fork.parent?.relation === 'fork' && fork.parent.session === session.id) foldAgain(tables, fork);
}
