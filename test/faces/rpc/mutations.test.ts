import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/faces/rpc/index.ts';
import { spoil, valid } from './spoil.ts';
import { spoilBytes } from './spoil-bytes.ts';

describe('spoiled requests', () => {
  it.each(valid)('$method is valid before it is spoiled', ({ method, params }) => {
    const { error } = METHODS[method as keyof typeof METHODS].params.safeParse(params);
    expect(error?.issues ?? []).toEqual([]);
  });

  it('are answered each with a result or a known error, 2,000 of them, and lose nothing', async () => {
    // What they write makes the log longer and each look at it dearer, so they get a new one now and then.
    for (let round = 0; round < 4; round++) await spoil(500);
  });

  it('are answered as well when their bytes are spoiled on the wire, headers and all, 500 of them', async () => {
    await spoilBytes(500);
  });
});
