import { leaseHeld } from '../guard-append.ts';
import type { Lease, LeaseClaim } from '../store.ts';
import type { SessionRow } from './tables.ts';

export function claimLease(session: SessionRow, claim: LeaseClaim, now: number): Lease {
  const { token, owner, ttlMs, replaces } = claim;
  const held = session.lease;
  const free = !held || held.token === token || held.expiresAt <= now || held.token === replaces;
  if (!free) throw leaseHeld(session.id, held);
  session.lease = { token, owner: { ...owner }, expiresAt: now + ttlMs };
  return structuredClone(session.lease);
}
