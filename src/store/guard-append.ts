import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { EntryBody, SessionId } from '../record/index.ts';
import type { AppendOptions, Lease } from './store.ts';

/** Throws when the writer may not append: another owner holds the lease, or the head is not the one it has seen. */
export function guardAppend(
  session: SessionId,
  {
    head,
    lease,
    now,
    bodies,
  }: { head: number; lease: Lease | undefined; now: number; bodies: readonly EntryBody[] },
  { expectedHead, lease: token }: AppendOptions,
): void {
  if (token !== undefined && lease?.token !== token) {
    throw new ThroughlineError(
      'lease-lost',
      `Session "${session}" was taken over${lease ? ` by ${describeOwner(lease)}` : ''}. Open it again to go on, or fork it to keep both.`,
      { details: { session, ...(lease && { holder: lease.owner }) } },
    );
  }
  if (token === undefined && lease && lease.expiresAt > now && !bodies.every(isNote))
    throw leaseHeld(session, lease);
  if (expectedHead !== undefined && expectedHead !== head) {
    throw new ThroughlineError(
      'head-moved',
      `Session "${session}" has gone on to entry ${head} since entry ${expectedHead} was read. Read the new entries and append again, or fork.`,
      { details: { session, expectedHead, head } },
    );
  }
}

export function leaseHeld(session: SessionId, lease: Lease): ThroughlineError {
  return new ThroughlineError(
    'lease-held',
    `Session "${session}" is being written by ${describeOwner(lease)}. Open it read-only, fork it, or close the other one first.`,
    { details: { session, holder: lease.owner, token: lease.token, expiresAt: lease.expiresAt } },
  );
}

/** Marks and settings say something about a session; every process may, also while another one holds the lease. */
function isNote(body: EntryBody): boolean {
  return body.kind === 'mark' || body.kind === 'setting';
}

function describeOwner({ owner }: Lease): string {
  return `${owner.name} (process ${owner.pid} on ${owner.host.split('/')[0]})`;
}

interface RetryOptions {
  /** Decides after a failure whether another writer was the cause; by default `head-moved` says so. */
  readonly shouldRetry?: (error: unknown) => boolean | Promise<boolean>;
}

/**
 * Runs `attempt`, which reads a session, decides by what it read, and writes with the head of that read as
 * `expectedHead`. After another writer came in between, the whole attempt runs again, the decision included.
 */
export async function retryOnHeadMoved<T>(
  attempt: () => Promise<T>,
  { shouldRetry = isHeadMoved }: RetryOptions = {},
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(await shouldRetry(error))) throw error;
    }
  }
}

export function isHeadMoved(error: unknown): boolean {
  return isThroughlineError(error, 'head-moved');
}

/** Refuses what can be no list of entries, before any of it is read. */
export function checkEntries(entries: unknown): void {
  if (!Array.isArray(entries))
    throw new ThroughlineError('usage', 'append takes a list of entries, also for one: append([entry]).');
  const none = entries.find((entry) => !isObject(entry) || ('body' in entry && !isObject(entry.body)));
  if (none === undefined && !entries.includes(undefined)) return;
  throw new ThroughlineError(
    'entry-invalid',
    `Not appended: ${JSON.stringify(none)} is no entry. Give its body, or { id, at, body }.`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
