import { describe, expect, it } from 'vitest';
import { recoverTurn, runTurn } from '../../src/agent/index.ts';
import { createSession, openSession, type Session, watchSession } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { fixedClock } from '../../src/testing/index.ts';
import { scriptedModel } from './scripted-model.ts';
import { tellEntry, told } from './told.ts';

const clock = fixedClock();
const open = async (): Promise<{ store: Store; session: Session }> => {
  const store = createMemoryStore({ now: clock.now });
  return { store, session: await createSession(store, { id: 's' }) };
};

/** Resolves with the first note of this kind that is written. */
async function noted(store: Store, step: string): Promise<void> {
  for await (const entry of watchSession(store, 's')) if (tellEntry(entry) === `(${step})`) return;
}

describe('a streamed answer', () => {
  it('that is over within a second writes nothing but itself', async () => {
    const { session } = await open();
    await runTurn(session, 'Hi', { model: scriptedModel([{ text: 'Hello.' }]) });
    expect(await told(session)).toEqual(['user: Hi', 'assistant: Hello.']);
  });

  it('is on disk within a second, and in one message at the end', async () => {
    const { store, session } = await open();
    const model = scriptedModel([{ text: 'Slow answer', onHalf: () => noted(store, 'partial') }]);
    await runTurn(session, 'Hi', { model });
    expect(await told(session)).toEqual(['user: Hi', '(partial)', 'assistant: Slow answer']);
  });

  it('is flushed at once when much has come', async () => {
    const { store, session } = await open();
    const text = 'many words '.repeat(1_000);
    const model = scriptedModel([{ text, onHalf: () => noted(store, 'partial') }]);
    await runTurn(session, 'Hi', { model });
    const entries = await session.read();
    const [partial, answer] = [entries[1], entries.at(-1)];
    expect((await session.whole(partial!)).body).toMatchObject({ step: 'partial', answer: answer!.id });
    expect(tellEntry(await session.whole(answer!))).toBe(`assistant: ${text}`.trimEnd());
  });

  it('is put together from its flushes when its process dies', async () => {
    const { store, session } = await open();
    const died = Promise.withResolvers<void>();
    const model = scriptedModel([
      {
        reasoning: 'Thinking.',
        text: 'words and '.repeat(1_000),
        accident: 'hang',
        async onHalf() {
          await noted(store, 'partial');
          died.resolve();
        },
      },
    ]);
    const lost = runTurn(session, 'Hi', { model });
    await died.promise;
    clock.advance(60_000);

    await using next = await openSession(store, 's');
    const { closed, unfinished } = await recoverTurn(next);
    expect(unfinished).toMatchObject({ seq: 1 });
    expect(closed).toHaveLength(1);
    const { body } = await next.whole(closed[0]!);
    expect(body).toMatchObject({
      status: 'interrupted',
      model: model.id,
      parts: [
        { type: 'reasoning', text: 'Thinking.', providerOptions: { compatible: { signature: 'signed' } } },
        { type: 'text', text: 'words and '.repeat(500) },
      ],
      meta: { run: { cutBy: 'crash' } },
    });
    // The other one finds out as soon as it writes: the lease is not its own any more.
    lost.catch(() => {});
  });

  it('keeps calls that were complete, and says that they did not run', async () => {
    const { session } = await open();
    const answer = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21';
    const parts = [
      { at: 0, type: 'text', text: 'Look' },
      { at: 0, type: 'text', text: 'ing.' },
      { at: 1, type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} },
    ];
    await session.append([
      { kind: 'message', role: 'user', parts: [{ type: 'text', text: 'Look' }] },
      { kind: 'run', step: 'partial', answer, parts },
    ]);
    await recoverTurn(session);
    expect((await told(session)).slice(2)).toEqual([
      'assistant!: Looking. look({})',
      expect.stringMatching(/^tool!: = error Not run/),
    ]);
    expect((await session.read()).at(2)!.id).toBe(answer);
  });
});
