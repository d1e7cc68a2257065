import { expect, it } from 'vitest';
import { indexTogether, killSweep } from './kill-indexer.ts';

it('loses nothing and repeats nothing through 80 kills at instants spread over its work', async () => {
  await expect(killSweep(80)).resolves.toBeUndefined();
});

it('lets five processes index at once, and indexes everything once', async () => {
  await expect(indexTogether(5)).resolves.toBeUndefined();
});
