import { expect, it } from 'vitest';
import { indexTogether, killSweep } from './kill-indexer.ts';

it('loses nothing and repeats nothing when the indexer is killed', async () => {
  await expect(killSweep(4)).resolves.toBeUndefined();
});

it('lets two processes index at once, and indexes everything once', async () => {
  await expect(indexTogether(2)).resolves.toBeUndefined();
});
