import type { Store } from '../../store/index.ts';
import { fixedClock } from '../fixed-clock.ts';
import { appendPromises } from './append.ts';
import { blobPromises } from './blobs.ts';
import { changeHintPromises } from './change-hints.ts';
import { closedPromises } from './closed.ts';
import { createPromises } from './create.ts';
import { expectedHeadPromises } from './expected-head.ts';
import { findPromises } from './find.ts';
import { forkPromises } from './fork.ts';
import { leasePromises } from './lease.ts';
import { listPromises } from './list.ts';
import type { StorePromise } from './promise.ts';
import { purgePromises } from './purge.ts';
import { readPromises } from './read.ts';
import { repeatPromises } from './repeat.ts';
import { rewritePromises } from './rewrite.ts';
import { statePromises } from './state.ts';
import { sweepPromises } from './sweep.ts';
import { textPromises } from './text.ts';
import { unknownKindPromises } from './unknown-kinds.ts';

/** Opens an empty store that takes its time from `now`. */
export type OpenStore = (options: { readonly now: () => number }) => Promise<Store>;

export interface ContractCase {
  readonly group: string;
  readonly name: string;
  run(): Promise<void>;
}

const GROUPS: Readonly<Record<string, readonly StorePromise[]>> = {
  create: createPromises,
  append: appendPromises,
  repeat: repeatPromises,
  'expected head': expectedHeadPromises,
  read: readPromises,
  fork: forkPromises,
  lease: leasePromises,
  list: listPromises,
  find: findPromises,
  state: statePromises,
  blobs: blobPromises,
  'unknown kinds': unknownKindPromises,
  text: textPromises,
  purge: purgePromises,
  rewrite: rewritePromises,
  'change hints': changeHintPromises,
  sweep: sweepPromises,
  'closed store': closedPromises,
};

/**
 * The promises every store keeps, as data: register each case with whatever test runner you use. A case has its own
 * store and needs no other case to have run before it.
 */
export function storeContract(openStore: OpenStore): ContractCase[] {
  return Object.entries(GROUPS).flatMap(([group, promises]) =>
    promises.map(({ name, keep }) => ({
      group,
      name,
      async run() {
        const clock = fixedClock();
        await using store = await openStore({ now: clock.now });
        await keep({ store, clock });
      },
    })),
  );
}
