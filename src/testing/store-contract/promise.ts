import type { Entry, EntryBody } from '../../record/index.ts';
import type { LeaseClaim, Store } from '../../store/index.ts';
import type { FixedClock } from '../fixed-clock.ts';

interface Bench {
  readonly store: Store;
  /** The clock that the store was opened with. */
  readonly clock: FixedClock;
}

/** One sentence that every store keeps, and the conversation that shows it. */
export interface StorePromise {
  readonly name: string;
  readonly keep: (bench: Bench) => Promise<void>;
}

export function promise(name: string, keep: StorePromise['keep']): StorePromise {
  return { name, keep };
}

/** The texts, message by message; other entries by their kind. */
export function said(entries: readonly Entry[]): string[] {
  return entries.map(({ body }) => saidIn(body));
}

function saidIn(body: EntryBody): string {
  if (body.kind !== 'message') return body.kind;
  return body.parts.map((part) => (typeof part.text === 'string' ? part.text : part.type)).join(' ');
}

export function claimOf(token: string, fields: Partial<LeaseClaim> = {}): LeaseClaim {
  const owner = { name: `writer ${token}`, host: 'here', pid: 1, startedAt: 'then' };
  return { token, owner, ttlMs: 1000, ...fields };
}
