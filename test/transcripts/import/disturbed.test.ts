import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { crashAfter } from '../../../src/testing/index.ts';
import { said } from '../contract.ts';
import { hashes, importText } from '../transfer.ts';
import { readerOf, SAMPLES, type Sample } from './samples.ts';

async function read(store: Store, sample: Sample) {
  return importText(store, await readerOf(sample), sample.text, { format: sample.format });
}

/** The store as it answers when others are in the way: each call waits for some turns of the event loop. */
function slow(store: Store, waits: readonly number[]): Store {
  let calls = 0;
  const wait = async () => {
    for (let turn = waits[calls++ % waits.length]!; turn > 0; turn--) await new Promise(setImmediate);
  };
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || name === 'onChange') return member;
      return async (...args: unknown[]) => {
        await wait();
        const result: unknown = await member.apply(target, args);
        await wait();
        return result;
      };
    },
  });
}

const anyWaits = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 });

describe.each(SAMPLES)('two imports of one file at once: $name ($format)', (sample) => {
  it('have the result of one, in any order of steps', async () => {
    const alone = createMemoryStore();
    await read(alone, sample);
    const whole = await hashes(alone);
    await fc.assert(
      fc.asyncProperty(anyWaits, anyWaits, async (first, second) => {
        const store = createMemoryStore();
        await Promise.all([read(slow(store, first), sample), read(slow(store, second), sample)]);
        expect(await hashes(store)).toEqual(whole);
        expect((await read(store, sample)).every(({ added }) => added === 0)).toBe(true);
      }),
      { numRuns: sample.text.length > 100_000 ? 5 : 30 },
    );
  });
});

describe.each(SAMPLES.filter(({ text }) => text.length < 100_000))(
  'an older copy of a file: $name ($format)',
  (sample) => {
    const older = (end: number): Sample => ({ ...sample, text: sample.text.slice(0, end) });

    it('takes nothing back that the newer one said', async () => {
      const store = createMemoryStore();
      await read(store, sample);
      const whole = await said(store);
      await fc.assert(
        fc.asyncProperty(fc.nat(sample.text.length), async (end) => {
          await read(store, older(end));
          expect(await said(store)).toEqual(whole);
        }),
        { numRuns: 30 },
      );
    });

    it('loses nothing that the newer one says, imported at once with it', async () => {
      const alone = createMemoryStore();
      await read(alone, sample);
      const whole = await wordsOf(alone);
      await fc.assert(
        fc.asyncProperty(anyWaits, anyWaits, fc.nat(sample.text.length), async (first, second, end) => {
          const store = createMemoryStore();
          await Promise.all([read(slow(store, first), older(end)), read(slow(store, second), sample)]);
          const words = await wordsOf(store);
          expect([...whole].filter((word) => !words.has(word))).toEqual([]);
        }),
        { numRuns: 30 },
      );
    });
  },
);

/** The parts of all messages that were not taken back. */
async function wordsOf(store: Store): Promise<Set<string>> {
  const messages = Object.values(await said(store)).flat() as { parts: unknown[] }[];
  return new Set(messages.flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))));
}

describe.each(SAMPLES)('an import that dies: $name ($format)', (sample) => {
  it('is gone on with, after any of its writes', async () => {
    const alone = createMemoryStore();
    await read(alone, sample);
    const whole = await hashes(alone);
    for (let writes = 0; ; writes++) {
      const store = createMemoryStore();
      const died = await read(crashAfter(store, writes), sample).then(
        () => false,
        (error: Error) => error.message === 'crash' || Promise.reject(error),
      );
      await read(store, sample);
      expect(await hashes(store)).toEqual(whole);
      if (!died) break;
    }
  });
});
