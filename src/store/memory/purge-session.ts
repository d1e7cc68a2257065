import { ThroughlineError } from '../../errors.ts';
import { leaseHeld } from '../guard-append.ts';
import type { PurgeReport } from '../store.ts';
import { releaseBlobs } from './blobs.ts';
import type { SessionRow, Tables } from './tables.ts';

export function purgeSession(tables: Tables, session: SessionRow, now: number): PurgeReport {
  const { id, entries, lease } = session;
  const forks = [...tables.sessions.values()]
    .filter(({ parent }) => parent?.relation === 'fork' && parent.session === id)
    .map((fork) => fork.id);
  if (forks.length > 0) {
    throw new ThroughlineError(
      'session-has-forks',
      `Session "${id}" cannot be purged: its entries are shared by ${forks.join(', ')}. Purge what was forked from it first.`,
      { details: { session: id, forks } },
    );
  }
  if (lease && lease.expiresAt > now) throw leaseHeld(id, lease);
  tables.sessions.delete(id);
  tables.purged.set(id, now);
  const freed = releaseBlobs(tables, session);
  const text = entries.map(({ json }) => Buffer.byteLength(json));
  return {
    entries: entries.length,
    blobs: freed.length,
    bytes: [...text, ...freed].reduce((sum, size) => sum + size, 0),
  };
}
