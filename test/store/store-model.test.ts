import { it } from 'vitest';
import { createMemoryStore } from '../../src/store/index.ts';
import { checkStoreModel } from './store-model.ts';

it('agrees with a naive model, whatever it is asked to do', async () => {
  await checkStoreModel({ open: async () => createMemoryStore(), reopenable: false });
});
