import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTalk, checkFaces, WIRES } from './three-faces.ts';

it.each(WIRES)(
  'the library, the terminal and RPC send the same bytes, as announced, over %s',
  async (wire) => {
    const outcomes: string[] = [];
    await fc.assert(
      fc.asyncProperty(anyTalk, async (talk) => {
        outcomes.push(await checkFaces(talk, wire));
      }),
      { numRuns: 3 },
    );
    expect(outcomes).toHaveLength(3);
  },
);
