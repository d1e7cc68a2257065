import { expect, it } from 'vitest';
import { indexTogether, killSweep } from './kill-indexer.ts';

/** For the processes that are started one after the other; none of them is given a time. */
const AS_LONG_AS_IT_TAKES = 600_000;

it('loses nothing and repeats nothing when the indexer is killed', {
  timeout: AS_LONG_AS_IT_TAKES,
}, async () => {
  await expect(killSweep(4)).resolves.toBeUndefined();
});

it('lets two processes index at once, and indexes everything once', {
  timeout: AS_LONG_AS_IT_TAKES,
}, async () => {
  await expect(indexTogether(2)).resolves.toBeUndefined();
});
