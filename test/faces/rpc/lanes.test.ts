import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLanes } from '../../../src/faces/rpc/dispatch/lanes.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';

const add = (session: string) => ({ sessionId: session });

describe('lanes', () => {
  it('let the next of a session begin when the one before has been handed over, and not earlier', async () => {
    const lanes = createLanes();
    const began: string[] = [];
    const { promise: disk, resolve: written } = Promise.withResolvers<void>();
    const { promise: thought, resolve: think } = Promise.withResolvers<void>();
    const first = lanes.run('chat/message/add', add('a'), async (handedOver) => {
      began.push('first');
      await thought;
      handedOver();
      await disk;
      return 1;
    });
    const second = lanes.run('chat/message/add', add('a'), async () => began.push('second'));
    const other = lanes.run('chat/message/add', add('b'), async () => began.push('other'));
    await other;
    expect(began).toEqual(['first', 'other']);
    think();
    await second;
    expect(began).toEqual(['first', 'other', 'second']);
    written();
    expect(await first).toBe(1);
  });

  it('go on behind one that failed before it was handed over', async () => {
    const lanes = createLanes();
    const failing = lanes.run('chat/message/add', add('a'), async () => Promise.reject(new Error('no')));
    const next = lanes.run('chat/message/add', add('a'), async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('keep the order in the log, however long each takes to be handed over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { minLength: 2, maxLength: 20 }), async (turns) => {
        await using store = createMemoryStore();
        await store.create({ id: 's' });
        const lanes = createLanes();
        await Promise.all(
          turns.map((wait, index) =>
            lanes.run('chat/message/add', add('s'), (over) => say(store, { index, wait, over })),
          ),
        );
        const said = (await store.read('s')).map(({ body }) => JSON.stringify(body));
        expect(said.map((text) => Number(/number (\d+)/.exec(text)![1]))).toEqual(
          turns.map((_, index) => index),
        );
      }),
      { numRuns: 50 },
    );
  });
});

async function say(store: Store, { index, wait, over }: { index: number; wait: number; over: () => void }) {
  for (let turn = 0; turn < wait; turn++) await null;
  const stored = store.append('s', [{ body: user(`number ${index}`) }]);
  over();
  return stored;
}
