import type { SessionId } from '../../record/index.ts';
import { leaseHeld } from '../guard-append.ts';
import type { Lease, LeaseClaim } from '../store.ts';
import { rowOf } from './lineage.ts';
import type { Tables } from './tables.ts';

export function claimLease(
  tables: Tables,
  id: SessionId,
  { claim: { token, owner, ttlMs, replaces }, now }: { claim: LeaseClaim; now: number },
): Lease {
  const { key } = rowOf(tables, id);
  const held = tables.leases.bySession(key);
  const free = !held || held.token === token || held.expiresAt <= now || held.token === replaces;
  if (!free) throw leaseHeld(id, held);
  const lease = { token, owner, expiresAt: now + ttlMs };
  tables.leases.put(key, lease);
  tables.cache.clear();
  return lease;
}
