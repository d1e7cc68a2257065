import { expect, it } from 'vitest';
import { killSweep } from './kill-sweep.ts';

it('keeps every acknowledged entry through 200 kills at random instants', async () => {
  await expect(killSweep(200)).resolves.toBeUndefined();
});
