import { randomUUID } from 'node:crypto';
import { isThroughlineError } from '../errors.ts';
import type { SessionId } from '../record/index.ts';
import type { LeaseOwner, Store } from '../store/index.ts';
import { isDead, thisProcess } from './process-identity.ts';

export interface HeldLease {
  readonly token: string;
  release(): Promise<void>;
}

const TTL_MS = 30_000;

/**
 * Claims the right to append and keeps it alive until released. A dead owner's lease is taken over at once; a living
 * one's is `lease-held`, unless somebody insists: then its owner is told `lease-lost` at its next append. A process that dies leaves nothing to clean up: its lease is void as soon as somebody asks.
 */
export async function holdLease(
  store: Store,
  id: SessionId,
  { name, ttlMs = TTL_MS, takeOver = false }: { name: string; ttlMs?: number; takeOver?: boolean },
): Promise<HeldLease> {
  const claim = { token: randomUUID(), owner: thisProcess(name), ttlMs };
  try {
    await store.claimLease(id, claim);
  } catch (error) {
    if (!isThroughlineError(error, 'lease-held')) throw error;
    const { holder, token } = error.details as { holder: LeaseOwner; token: string };
    if (!takeOver && !isDead(holder)) throw error;
    await store.claimLease(id, { ...claim, replaces: token });
  }
  // A failed renewal needs no handling here: if the lease was lost meanwhile, the next append says so.
  let renewal: Promise<unknown> = Promise.resolve();
  const heartbeat = setInterval(() => {
    renewal = store.claimLease(id, claim).catch(() => {});
  }, ttlMs / 3).unref();
  return {
    token: claim.token,
    async release() {
      clearInterval(heartbeat);
      // One that arrived after the release would bring the lease back to life, with nobody left to end it.
      await renewal;
      await store.releaseLease(id, claim.token);
    },
  };
}
