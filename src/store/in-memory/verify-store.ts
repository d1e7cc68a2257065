import type { RebuildReport, SweepOptions, VerifyReport } from '../store.ts';
import { countSessionsInMemory } from './list-sessions.ts';
import { type SweptInMemory, sweepSession } from './sweep.ts';
import type { MemorySessionRow, MemoryTables } from './tables.ts';

export function verifyStoreInMemory(tables: MemoryTables, options: SweepOptions = {}): VerifyReport {
  const swept = sweepAll(tables, options);
  const { active, archived, trashed, memory } = countSessionsInMemory(tables);
  return {
    stored: tables.sessions.size,
    listed: active + archived + trashed + memory,
    entries: swept.reduce((sum, { session }) => sum + session.entries.length, 0),
    blobs: tables.blobs.size,
    problems: swept.flatMap(({ damage, differences }) => [...damage, ...differences]),
  };
}

export function rebuildStoreInMemory(tables: MemoryTables, options: SweepOptions = {}): RebuildReport {
  // A session with unreadable entries keeps what it has: that may be all that is left of them.
  const differing = sweepAll(tables, options).filter(
    (swept) => swept.damage.length === 0 && swept.differences.length > 0,
  );
  for (const { session, tally, totals } of differing) {
    session.tally = tally;
    for (const [index, row] of session.entries.entries()) row.totals = totals[index]!;
  }
  return { sessions: tables.sessions.size, changed: differing.map(({ session }) => session.id) };
}

function sweepAll(
  tables: MemoryTables,
  { onProgress }: SweepOptions,
): (SweptInMemory & { session: MemorySessionRow })[] {
  const sessions = [...tables.sessions.values()];
  return sessions.map((session, index) => {
    const swept = { session, ...sweepSession(tables, session) };
    onProgress?.({ done: index + 1, total: sessions.length });
    return swept;
  });
}
