import fc from 'fast-check';
import { it } from 'vitest';
import { STORES } from '../session/stores.ts';
import { anyDeeds, checkDeeds } from './any-history.ts';

const RUNS: Readonly<Record<string, number>> = { memory: 60, sqlite: 10 };

it.each(STORES)(
  'whatever is said, marked, compacted, opened and forked in a $kind store, the log only grows, every compaction gives back what it covers, and the model sees the newest question and every pin whole',
  async ({ kind, open }) => {
    await fc.assert(
      fc.asyncProperty(anyDeeds({ most: 25 }), async (steps) => {
        await using bench = await open();
        await checkDeeds(bench.store, steps);
      }),
      { numRuns: RUNS[kind]! },
    );
  },
  300_000,
);
