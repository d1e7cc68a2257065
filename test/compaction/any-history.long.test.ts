import fc from 'fast-check';
import { it } from 'vitest';
import { STORES } from '../session/stores.ts';
import { anyDeeds, checkDeeds } from './any-history.ts';

const RUNS: Readonly<Record<string, number>> = { memory: 2_000, sqlite: 200 };

it.each(STORES)(
  'any history at all holds in a $kind store, with 30 and more compactions on top of each other',
  async ({ kind, open }) => {
    await fc.assert(
      fc.asyncProperty(anyDeeds({ most: 80 }), async (steps) => {
        await using bench = await open();
        await checkDeeds(bench.store, steps);
      }),
      { numRuns: RUNS[kind]! },
    );
  },
  14_400_000,
);
