import type { Store } from '../store/index.ts';

/** The calls that write the log. Leases are left out: losing one is another failure, with its own tests. */
const WRITES: readonly PropertyKey[] = ['create', 'append', 'purge'] satisfies (keyof Store)[];

/**
 * The store as a process sees it that dies: the first `writes` calls that write the log go through, the next one throws
 * `crash` before anything is written, and from then on every call does. Disposing it leaves `store` open, as a dead
 * process would, so the test can go on with it.
 */
export function crashAfter(store: Store, writes: number): Store {
  let left = writes;
  let dead = false;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === Symbol.asyncDispose) return async () => {};
      if (typeof member !== 'function' || name === 'onChange') return member;
      return async (...args: unknown[]) => {
        if (WRITES.includes(name) && left-- <= 0) dead = true;
        if (dead) throw new Error('crash');
        return member.apply(target, args);
      };
    },
  });
}
