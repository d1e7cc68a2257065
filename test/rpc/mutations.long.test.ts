import { it } from 'vitest';
import { spoil } from './spoil.ts';

it('answers 10,000 spoiled requests each with a result or a known error, and loses nothing', async () => {
  for (let round = 0; round < 20; round++) await spoil(500);
});
