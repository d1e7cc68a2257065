import { expect, it } from 'vitest';
import { importTwice, killImports } from './kill-import.ts';

it('ends in the same logs when an import is killed at any instant and made again', async () => {
  await expect(killImports(2, { turns: 300 })).resolves.toBeUndefined();
});

it('ends in the same logs when two processes import a file at once', async () => {
  await expect(importTwice({ turns: 300 })).resolves.toBeUndefined();
});
