import { describe, it } from 'vitest';
import { createMemoryStore } from '../../src/store/index.ts';
import { storeContract } from '../../src/testing/index.ts';

describe('memory store', () => {
  for (const { group, name, run } of storeContract(async (options) => createMemoryStore(options))) {
    it(`${group}: ${name}`, run);
  }
});
