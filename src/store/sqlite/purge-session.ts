import { ThroughlineError } from '../../errors.ts';
import { MAX_SEQ } from '../../record/index.ts';
import { leaseHeld } from '../guard-append.ts';
import type { PurgeReport } from '../store.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

export function purgeSession(tables: Tables, row: SessionRow, now: number): PurgeReport {
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
