import { describe, expect, it } from 'vitest';
import { createMemoryStore, retryOnHeadMoved } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';

describe('a write that expects a head', () => {
  it('is decided again after each writer that was faster, and written once', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    const writers = Array.from({ length: 8 }, (_, n) =>
      retryOnHeadMoved(async () => {
        const { head } = (await store.session('s'))!;
        await new Promise((resolve) => setImmediate(resolve));
        const body = user(`${n} behind ${head}`);
        return store.append('s', [{ body }], { expectedHead: head });
      }),
    );
    const written = (await Promise.all(writers)).flat();
    expect(await store.read('s', {})).toHaveLength(8);
    for (const { seq, body } of written)
      expect(body).toMatchObject({
        parts: [{ text: expect.stringMatching(new RegExp(`behind ${seq - 1}$`)) }],
      });
  });

  it('ends with every other failure, and with a moved head that is not to be met again', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' }, [{ body: user('one') }]);
    let tries = 0;
    const late = async () => {
      tries++;
      return store.append('s', [{ body: user('two') }], { expectedHead: 0 });
    };
    await expect(retryOnHeadMoved(late, { shouldRetry: () => tries < 3 })).rejects.toMatchObject({
      code: 'head-moved',
    });
    expect(tries).toBe(3);
    const gone = () => store.append('nowhere', [{ body: user('two') }]);
    await expect(retryOnHeadMoved(gone)).rejects.toMatchObject({ code: 'session-not-found' });
  });
});
