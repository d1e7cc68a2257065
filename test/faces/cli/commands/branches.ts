import { fixedClock } from '../../../../src/testing/index.ts';
import { twoPlans } from '../../../branches/plans.ts';
import { createMachine, type Machine } from '../command-line.ts';

/** A machine with a session `main` about a cache and its branch `disk`, which disagree about one thing. */
export async function withPlans(): Promise<Machine> {
  const machine = createMachine();
  await machine.change((store) => twoPlans({ store, clock: fixedClock(), async [Symbol.asyncDispose]() {} }));
  return machine;
}
