import { expect, it } from 'vitest';
import { importTwice, killImports } from './kill-import.ts';

it('ends in the same logs through 90 kills of imports', async () => {
  await expect(killImports(30, { turns: 1000 })).resolves.toBeUndefined();
});

it('ends in the same logs whenever two processes import a file at once', async () => {
  for (let time = 0; time < 20; time++) await expect(importTwice({ turns: 1000 })).resolves.toBeUndefined();
});
