import { ThroughlineError } from '../../errors.ts';
import { EMPTY_STATE, forkState, MAX_SEQ } from '../../record/index.ts';
import { blobHashes } from '../blob-hashes.ts';
import { encodeEntry } from '../entry-format.ts';
import { entryGone } from '../entry-gone.ts';
import { leaseHeld } from '../guard-append.ts';
import type { PurgeReport, RewrittenEntry } from '../store.ts';
import { emptyTally, NO_TOTALS, type Tally, tallyEntry } from '../tally.ts';
import { standAt } from './create-session.ts';
import { currentRow } from './hot-session.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

/** Inside a transaction. */
export function rewriteEntries(
  tables: Tables,
  row: SessionRow,
  { entries, now }: { entries: readonly RewrittenEntry[]; now: number },
): PurgeReport {
  const { id: session, key } = row;
  const lease = tables.leases.bySession(key);
  if (lease && lease.expiresAt > now) throw leaseHeld(session, lease);
  let bytes = 0;
  for (const { id, body } of entries) {
    const stored = tables.entries.own(session, id);
    if (!stored) throw entryGone(session, id);
    const encoded = encodeEntry({ id, at: stored.at, body }, now);
    tables.entries.rewrite(key, stored.seq, encoded);
    for (const blob of encoded.blobs) tables.blobs.put(key, blob);
    bytes += encoded.json.length;
  }
  tables.cache.clear();
  const freed = tables.blobs.keep(key, foldAgain(tables, row));
  return {
    entries: entries.length,
    blobs: freed.length,
    bytes: freed.reduce((sum, size) => sum + size, bytes),
  };
}

const PAGE = 500;

/** Derives what stands beside a log again, and then that of its forks. Returns the blobs that the log refers to. */
function foldAgain(tables: Tables, stored: SessionRow): ReadonlySet<string> {
  const hashes = new Set<string>();
  let tally: Tally = bornTally(tables, stored);
  for (let after = tally.head; ; after = tally.head) {
    const page = tables.entries.read(stored.id, {
      key: stored.key,
      after,
      upTo: MAX_SEQ,
      limit: PAGE,
      newestFirst: false,
      only: 'all',
    });
    for (const entry of page) {
      tally = tallyEntry(tally, entry);
      tables.entries.setSums(stored.key, tally);
      blobHashes(entry.body, hashes);
    }
    if (page.length < PAGE) break;
  }
  tables.sessions.setTally(stored.key, tally);
  tables.tags.replace(stored.key, tally.state.tags);
  for (const fork of tables.sessions.forks(stored.id)) {
    const row = tables.sessions.byId(fork);
    if (row) foldAgain(tables, row);
  }
  return hashes;
}

function bornTally(tables: Tables, { parent, createdAt }: SessionRow): Tally {
  const born = { head: 0, createdAt, totals: NO_TOTALS, state: EMPTY_STATE };
  const above = parent?.relation === 'fork' ? tables.sessions.byId(parent.session) : undefined;
  if (!parent || !above) return emptyTally(born);
  const { totals, state } = standAt(tables, currentRow(tables, above), parent.seq);
  return emptyTally({ ...born, head: parent.seq, totals, state: forkState(state) });
}

export function purgeSessionRows(tables: Tables, row: SessionRow, now: number): PurgeReport {
  const { sessions, entries, blobs, leases, tags, purged, hot, cache } = tables;
  const forks = sessions.forks(row.id);
  if (forks.length > 0) throw hasForks(row.id, forks);
  const lease = leases.bySession(row.key);
  if (lease && lease.expiresAt > now) throw leaseHeld(row.id, lease);
  const all = { key: row.key, after: 0, upTo: MAX_SEQ };
  const bytes = entries.size(all);
  const removed = entries.remove(all);
  const freed = blobs.release(row.key);
  tags.replace(row.key, []);
  leases.removeAny(row.key);
  sessions.remove(row.key);
  purged.add(row.id, now);
  if (hot.key() === row.key) hot.set(undefined);
  cache.clear();
  return { entries: removed, blobs: freed.length, bytes: bytes + freed.reduce((sum, size) => sum + size, 0) };
}

function hasForks(id: string, forks: readonly string[]): ThroughlineError {
  const [share, those] = forks.length === 1 ? ['shares', 'that one'] : ['share', 'those'];
  return new ThroughlineError(
    'session-has-forks',
    `Session "${id}" cannot be purged: ${forks.join(', ')} ${share} its entries. Purge ${those} first.`,
    { details: { session: id, forks } },
  );
}
