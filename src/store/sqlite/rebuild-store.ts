import type { SessionId } from '../../record/index.ts';
import type { RebuildReport, SweepOptions } from '../store.ts';
import { tallyEntry } from '../tally.ts';
import { readEntries } from './append-entries.ts';
import { currentRow } from './hot-session.ts';
import { type Swept, sweepSessions } from './sweep.ts';
import type { Tables } from './tables.ts';
import { projectionDiffers } from './verify-store.ts';
import type { StoreWriter } from './writer.ts';

export async function rebuildStore(
  tables: Tables,
  writer: StoreWriter,
  options?: SweepOptions,
): Promise<RebuildReport> {
  const changed: SessionId[] = [];
  let sessions = 0;
  for await (const swept of sweepSessions(tables, options)) {
    sessions++;
    // A session with unreadable entries keeps the projection it has: that may be all that is left of them.
    if (swept.problems.some(({ code }) => code !== 'projection-differs')) continue;
    if (await writer.write(() => mend(tables, swept))) changed.push(swept.row.id);
  }
  return { sessions, changed };
}

/** Under the write lock: catches up with entries appended since the sweep, then replaces rows that differ. */
function mend(tables: Tables, swept: Swept): boolean {
  // By key: a session that was purged and created again under the same id is another one.
  const stored = tables.sessions.byKey(swept.row.key);
  if (!stored) return false;
  const row = currentRow(tables, stored);
  for (const hash of swept.blobs) tables.blobs.use(row.key, hash);
  for (const sums of swept.wrongSums) tables.entries.setSums(row.key, sums);
  const { head } = swept.tally;
  const last = tables.entries.sumsAtEnd(row.key)?.head ?? head;
  const newer = readEntries(tables, { ...row, head: last }, { after: head });
  const tally = newer.reduce(tallyEntry, swept.tally);
  if (swept.wrongSums.length === 0 && !projectionDiffers(tables, { ...swept, row, tally })) return false;
  tables.sessions.setTally(row.key, tally);
  tables.tags.replace(row.key, tally.state.tags);
  tables.cache.clear();
  return true;
}
