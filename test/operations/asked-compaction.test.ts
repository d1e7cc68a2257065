import { describe, expect, it } from 'vitest';
import { compactContext, previewContext } from '../../src/operations/compaction/index.ts';
import { createAppOperation, perform } from '../../src/operations/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const ENV = { OLLAMA_HOST: 'http://127.0.0.1:9' };
const SENTENCE = 'the worker takes a lease of three minutes and writes what it did to the log. ';

describe('a compaction that a person asks for without a number', () => {
  it('keeps a share of the window of the model that answers, also in a small one, as its preview says', async () => {
    await using store = createMemoryStore();
    const session = await createSession(store, { id: 's', settings: { model: 'ollama:small' } });
    const turns = Array.from({ length: 40 }, (_, n) => [user(`Part ${n}?`), assistant(SENTENCE.repeat(25))]);
    await session.append(turns.flat());
    const { tokens } = session.info.totals;
    expect(tokens).toBeLessThan(20_000);
    await session.close();
    await using app = createAppOperation(store, { env: ENV });
    const preview = await perform(previewContext, { chatSessionId: 's' }, app);
    expect(preview.kept.tokens).toBeLessThan(0.4 * 0.8 * 32_768);
    const compacted = await perform(compactContext, { chatSessionId: 's', writer: 'digest' }, app);
    expect(compacted.kept).toEqual(preview.kept);
    expect(compacted.compressedTokenCount).toBeLessThan(compacted.originalTokenCount / 2);
  });

  it.each([
    { standing: 'army', policy: undefined, kept: 20 },
    { standing: 'army', policy: 'window', kept: 10 },
    { standing: 'off', policy: undefined, kept: 50 },
  ] as const)(
    'keeps as much as the standing preset $standing says where the session, with policy $policy, says nothing',
    async ({ standing, policy, kept }) => {
      await using store = createMemoryStore();
      const session = await createSession(store, { id: 's', settings: { compaction: policy } });
      const turns = Array.from({ length: 30 }, (_, n) => [
        user(`Part ${n}?`),
        assistant(SENTENCE.repeat(50)),
      ]);
      await session.append(turns.flat());
      await session.close();
      await using app = createAppOperation(store, { env: { ...ENV, THROUGHLINE_PRESET: standing } });
      const asked = { chatSessionId: 's', writer: 'digest' } as const;
      const preview = await perform(previewContext, { chatSessionId: 's' }, app);
      const compacted = await perform(compactContext, asked, app);
      expect([preview.kept.messages, compacted.kept.messages]).toEqual([kept, kept]);
    },
  );

  it('refuses a standing preset that there is not', async () => {
    await using store = createMemoryStore();
    await (await createSession(store, { id: 's' })).close();
    await using app = createAppOperation(store, { env: { ...ENV, THROUGHLINE_PRESET: 'amry' } });
    const preview = perform(previewContext, { chatSessionId: 's' }, app);
    await expect(preview).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('amry') });
  });
});
