import { checkArgument, checkOptions, type OptionKinds, type SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { holdLease } from './hold-lease.ts';
import type { Session, SessionMode } from './session.ts';
import { createHandle, getSession } from './session-handle.ts';

export interface OpenOptions {
  /** Defaults to `write`. */
  readonly mode?: SessionMode;
  /** Who is writing, for others to see. */
  readonly owner?: string;
  readonly leaseTtlMs?: number;
  /** Also from a live owner: from then on their appends are `lease-lost`. */
  readonly takeOver?: boolean;
  /**
   * How long to wait while another writer is alive in it; 0 unless given. Writers of one process are served in the order
   * they came, and no process keeps the others from being served.
   */
  readonly waitMs?: number;
  /** Ends the waiting with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  readonly now?: () => number;
}

export const OPEN_OPTIONS: OptionKinds<Required<OpenOptions>> = {
  mode: 'session mode',
  owner: 'text',
  leaseTtlMs: 'number',
  takeOver: 'boolean',
  waitMs: 'number',
  signal: 'signal',
  now: 'function',
};

/**
 * Opens the session with exactly this id to go on in it, or fails with `session-not-found`, or with `session-gone` if it was
 * purged. `lease-held` means that another writer is alive in it: wait for it (`waitMs`), open it with `mode: 'read'`, or fork it.
 */
export async function openSession(store: Store, id: SessionId, options: OpenOptions = {}): Promise<Session> {
  checkArgument(store, 'store', { call: 'openSession' });
  checkOptions(options, OPEN_OPTIONS, { call: 'openSession' });
  const {
    mode = 'write',
    owner = 'throughline',
    leaseTtlMs,
    takeOver,
    waitMs,
    signal,
    now = Date.now,
  } = options;
  const found = await getSession(store, id);
  if (mode !== 'write') return createHandle(store, found, { mode, now });
  const lease = await holdLease(store, found.id, {
    name: owner,
    ...(leaseTtlMs && { ttlMs: leaseTtlMs }),
    ...(takeOver && { takeOver }),
    ...(waitMs !== undefined && { waitMs }),
    signal,
  });
  try {
    // Read again under the lease: the last owner may have said something in between.
    return createHandle(store, await getSession(store, found.id), { mode, lease, now });
  } catch (error) {
    // The lease would not be given back, and its heartbeat would keep it for as long as the process lives.
    await lease.release().catch(() => {});
    throw error;
  }
}
