import { it } from 'vitest';
import { spoil } from './spoil.ts';
import { spoilBytes } from './spoil-bytes.ts';

it('answers 10,000 spoiled requests each with a result or a known error, and loses nothing', async () => {
  for (let round = 0; round < 20; round++) await spoil(500);
});

it('stays up and whole through 10,000 requests with spoiled bytes', async () => {
  for (let round = 0; round < 5; round++) await spoilBytes(2_000);
});
