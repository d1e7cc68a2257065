import { type ErrorCode, ThroughlineError } from '../../src/errors.ts';
import type { Store } from '../../src/store/index.ts';

type Method = {
  [Name in keyof Store]: Store[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Store];

/** The store with some of its methods replaced; each replacement is given the original to call or not. */
export function changed(
  store: Store,
  methods: { readonly [Name in Method]?: (original: Store[Name]) => Store[Name] },
): Store {
  const replaced = Object.entries(methods).map(([name, replace]) => {
    const original = store[name as Method].bind(store);
    return [name, (replace as (original: unknown) => unknown)(original)];
  });
  return { ...store, ...Object.fromEntries(replaced) };
}

export interface Refusal {
  /** Calls that are still to be refused; set it to 0 to make room on the disk. */
  left: number;
}

/** A disk that refuses the next `left` appends before anything is written. */
export function refusingAppends(
  store: Store,
  { left, code = 'store-full' }: { left: number; code?: ErrorCode },
): { store: Store; refusal: Refusal } {
  const refusal: Refusal = { left };
  const append =
    (original: Store['append']): Store['append'] =>
    async (...args) => {
      if (refusal.left-- > 0) throw new ThroughlineError(code, 'The disk refuses.');
      return original(...args);
    };
  return { store: changed(store, { append }), refusal };
}

export interface Counts {
  calls: number;
  /** Entries that were handed out. */
  entries: number;
}

/** Counts what is read of a store's logs. */
export function countingReads(store: Store): { store: Store; counts: Counts } {
  const counts: Counts = { calls: 0, entries: 0 };
  const read =
    (original: Store['read']): Store['read'] =>
    async (...args) => {
      const entries = await original(...args);
      counts.calls++;
      counts.entries += entries.length;
      return entries;
    };
  const entry =
    (original: Store['entry']): Store['entry'] =>
    async (...args) => {
      const found = await original(...args);
      counts.calls++;
      counts.entries += found ? 1 : 0;
      return found;
    };
  return { store: changed(store, { read, entry }), counts };
}
