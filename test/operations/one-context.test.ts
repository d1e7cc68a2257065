import fc from 'fast-check';
import { expect, it } from 'vitest';
import { showContext } from '../../src/operations/context/index.ts';
import { createAppOperation, perform } from '../../src/operations/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { anySession, makeSession, only, text } from '../faces/rpc/any-session.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';

const anyAsking = fc.record({
  question: fc.option(fc.nat(60), { nil: undefined }),
  window: fc.option(fc.integer({ min: 3_000, max: 40_000 }), { nil: undefined }),
  /** Where in the log, for what was sent then. */
  at: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
});

it('the meter of a server and the context of a command are one: they agree for any session', async () => {
  let agreed = 0;
  await fc.assert(
    fc.asyncProperty(anySession, anyAsking, async (session, { question, window, at }) => {
      const store = createMemoryStore();
      await using line = await TRANSPORTS.http({ store, env: {} });
      const sessionId = await makeSession({ client: line.client, store }, session, {
        provider: 'offline',
        model: 'quotes',
      });
      const { head } = (await store.session(sessionId))!;
      const asked = {
        sessionId,
        ...(question !== undefined && { question: `${text(question)}?` }),
        ...(window !== undefined && { window }),
        ...(at !== undefined && { at: Math.max(1, Math.ceil(at * head)) }),
      };
      const metered = await line.client
        .call('chat/context/meter', { ...asked, messages: true })
        .catch(only('head-too-large'));
      await using app = createAppOperation(store, { env: {} });
      const shown = await perform(showContext, asked, app).catch(only('head-too-large'));
      expect(shown === undefined).toBe(metered === undefined);
      if (!shown || !metered) return;
      const { model, context, holds, compacts } = shown;
      const { tokens, window: whole, reserve, parts, messages, instructions, steps, leftOut } = context;
      const numbers = { tokens, window: whole, reserve, parts, steps, leftOut };
      const held = { messagesLoaded: holds.messages, compactionsApplied: holds.summaries, compacts };
      expect(metered).toMatchObject(
        JSON.parse(JSON.stringify({ sessionId, model, ...numbers, ...held, messages, instructions })),
      );
      agreed++;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(agreed).toBeGreaterThan(20);
});
