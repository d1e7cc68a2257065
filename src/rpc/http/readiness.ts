import { isThroughlineError } from '../../errors.ts';
import type { Store } from '../../store/index.ts';

/** A probe writes, and the route needs no token: one probe a second is enough for a supervisor. */
const PROBE_EVERY_MS = 1000;

/** Asks whether the store can be read and written: `undefined` if it can, else one word that says why not. */
export type Readiness = () => Promise<string | undefined>;

export function createReadiness(
  store: Pick<Store, 'probe'>,
  { everyMs = PROBE_EVERY_MS }: { everyMs?: number } = {},
): Readiness {
  let newest: Promise<string | undefined> | undefined;
  let askAgain = 0;
  return () => {
    if (newest === undefined || performance.now() >= askAgain) {
      newest = store.probe().then(() => undefined, reasonIn);
      const settle = () => {
        askAgain = performance.now() + everyMs;
      };
      // Until it is settled everybody waits for this one.
      askAgain = Number.POSITIVE_INFINITY;
      newest.then(settle, settle);
    }
    return newest;
  };
}

/** `store-full` is `full`: the word of the error code, without what every one of them begins with. */
function reasonIn(error: unknown): string {
  return isThroughlineError(error) ? error.code.replace(/^store-/, '') : 'unexpected';
}
