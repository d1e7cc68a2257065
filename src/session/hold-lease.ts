import { randomUUID } from 'node:crypto';
import { isThroughlineError } from '../errors.ts';
import type { SessionId } from '../record/index.ts';
import type { LeaseOwner, Store } from '../store/index.ts';
import { enterLine } from './lease-line.ts';
import { isDead, thisProcess } from './process-identity.ts';

export interface HeldLease {
  readonly token: string;
  release(): Promise<void>;
}

interface HoldOptions {
  readonly name: string;
  readonly ttlMs?: number;
  readonly takeOver?: boolean;
  /** How long to wait for a holder that is alive. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const TTL_MS = 30_000;

/**
 * Claims the right to append and keeps it alive until released. A dead owner's lease is taken over at once; a living
 * one's is waited for up to `waitMs`, then `lease-held`; with `takeOver` it is taken, and its owner's next append is
 * `lease-lost`. A process that dies leaves nothing to clean up: its lease is void at the next claim.
 */
export async function holdLease(
  store: Store,
  id: SessionId,
  { name, ttlMs = TTL_MS, takeOver = false, waitMs = 0, signal }: HoldOptions,
): Promise<HeldLease> {
  const claim = { token: randomUUID(), owner: thisProcess(name), ttlMs };
  const claimNow = async () => {
    try {
      await store.claimLease(id, claim);
    } catch (error) {
      if (!isThroughlineError(error, 'lease-held')) throw error;
      const { holder, token } = error.details as { holder: LeaseOwner; token: string };
      if (!takeOver && !isDead(holder)) throw error;
      await store.claimLease(id, { ...claim, replaces: token });
    }
  };
  const line = enterLine(store, id);
  try {
    await (waitMs > 0 && !takeOver ? line.claimInTurn(claimNow, { waitMs, signal }) : claimNow());
  } catch (error) {
    line.leave();
    throw error;
  }
  line.took();
  // A failed renewal needs no handling here: if the lease was lost, the next append says so.
  let renewal: Promise<unknown> = Promise.resolve();
  const heartbeat = setInterval(() => {
    renewal = store.claimLease(id, claim).catch(() => {});
  }, ttlMs / 3).unref();
  let left = false;
  return {
    token: claim.token,
    async release() {
      clearInterval(heartbeat);
      // One that arrived after the release would bring the lease back to life, with no owner left to end it.
      await renewal;
      try {
        await store.releaseLease(id, claim.token);
      } finally {
        if (!left) {
          line.gaveBack();
          line.leave();
        }
        left = true;
      }
    },
  };
}
