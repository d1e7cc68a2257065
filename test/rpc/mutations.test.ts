import { describe, expect, it } from 'vitest';
import { METHODS } from '../../src/rpc/index.ts';
import { spoil, valid } from './spoil.ts';

describe('spoiled requests', () => {
  it.each(valid)('$method is valid before it is spoiled', ({ method, params }) => {
    const { error } = METHODS[method as keyof typeof METHODS].params.safeParse(params);
    expect(error?.issues ?? []).toEqual([]);
  });

  it('are answered each with a result or a known error, 2,000 of them, and lose nothing', async () => {
    // What they write makes the log longer and each look at it dearer, so they get a new one now and then.
    for (let round = 0; round < 4; round++) await spoil(500);
  });
});
