import { expect, it } from 'vitest';
import { killSweep } from './kill-sweep.ts';

it('keeps every acknowledged entry when the writer is killed at any instant', async () => {
  await expect(killSweep(24)).resolves.toBeUndefined();
});
