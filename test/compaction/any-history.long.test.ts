import fc from 'fast-check';
import { expect, it } from 'vitest';
import { STORES } from '../session/stores.ts';
import { anyDeeds, checkDeeds } from './any-history.ts';

/** Ten thousand in all, long and short: in the long ones 30 and more compactions stand on top of each other. */
const CASES = [
  { kind: 'memory', most: 80, runs: 2_000 },
  { kind: 'memory', most: 25, runs: 8_000 },
  { kind: 'sqlite', most: 80, runs: 200 },
];

it.each(CASES)(
  'any history at all holds in a $kind store: $runs of up to $most deeds',
  async ({ kind, most, runs }) => {
    const store = STORES.find((each) => each.kind === kind);
    expect(store).toBeDefined();
    await fc.assert(
      fc.asyncProperty(anyDeeds({ most }), async (steps) => {
        await using bench = await store!.open();
        await checkDeeds(bench.store, steps);
      }),
      { numRuns: runs },
    );
  },
  14_400_000,
);
