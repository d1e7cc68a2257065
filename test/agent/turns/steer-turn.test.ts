import { describe, expect, it } from 'vitest';
import { listTurns, recoverTurn, runTurn, steerTurn } from '../../../src/agent/index.ts';
import { newEntryId } from '../../../src/record/index.ts';
import { createSession, openSession, type Session } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { crashAfter, fixedClock } from '../../../src/testing/index.ts';
import { scriptedModel } from '../scripted-model.ts';
import { told } from '../told.ts';

const open = (): Promise<Session> => createSession(createMemoryStore(), { id: 's' });
const said = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('('));

describe('a message for a running turn', () => {
  it('is given to the model with its next request, behind the results of the tools', async () => {
    const session = await open();
    const tools = {
      look: {
        inputSchema: { type: 'object' },
        execute: async () => {
          await steerTurn(session, 'Only the roof.');
          return 'seen';
        },
      },
    } as never;
    const model = scriptedModel([
      { calls: [{ id: 'a', name: 'look', input: {} }] },
      { text: 'The roof it is.' },
    ]);
    const result = await runTurn(session, 'Paint the house.', { model, tools });
    expect(said(await told(session))).toEqual([
      'user: Paint the house.',
      'assistant: look({})',
      'tool: = seen',
      'user: Only the roof.',
      'assistant: The roof it is.',
    ]);
    expect(result).toMatchObject({ status: 'complete', text: 'The roof it is.', answers: 2 });
    expect(JSON.stringify(model.requests[1]!.prompt.at(-1))).toContain('Only the roof.');
    // It belongs to the turn: there is one.
    expect(await listTurns(session.store, session.info)).toMatchObject([{ status: 'complete', answers: 2 }]);
  });

  it('that comes with the last words of an answer is still answered in the turn', async () => {
    const session = await open();
    let steered: Promise<unknown> | undefined;
    const model = scriptedModel([
      {
        text: 'The house is blue.',
        onHalf: () => {
          steered = steerTurn(session, 'Red, please.');
        },
      },
      { text: 'Red.' },
    ]);
    await runTurn(session, 'Paint the house.', { model });
    await steered;
    expect(said(await told(session))).toEqual([
      'user: Paint the house.',
      'assistant: The house is blue.',
      'user: Red, please.',
      'assistant: Red.',
    ]);
  });

  it('is stored once, however often it is handed in under one id', async () => {
    const session = await open();
    const id = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e41';
    const model = scriptedModel([
      {
        text: 'One two',
        onHalf: async () => {
          for (let n = 0; n < 3; n++) await steerTurn(session, { id, parts: 'Three.' });
        },
      },
      { text: 'Three.' },
    ]);
    await runTurn(session, 'Count', { model });
    expect(said(await told(session)).filter((line) => line === 'user: Three.')).toHaveLength(1);
    expect((await session.read()).some((entry) => entry.id === id)).toBe(true);
  });

  it('under an id that is taken is refused to its sender alone: the turn goes on, and no rejection is left over', async () => {
    const session = await open();
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', hear);
    try {
      const id = newEntryId();
      const taken = { id, parts: [{ type: 'text', text: 'Paint the house.' }] };
      const refused: unknown[] = [];
      const model = scriptedModel([
        {
          text: 'The house is blue.',
          async onHalf() {
            const another = { id, parts: [{ type: 'text', text: 'Red, please.' }] };
            await steerTurn(session, another).catch((error: unknown) => refused.push(error));
            // Node tells of a rejection that no one hears once the microtasks are done: before the turn looks at the message.
            await new Promise((go) => setImmediate(go));
          },
        },
      ]);
      await expect(runTurn(session, taken, { model })).resolves.toMatchObject({ status: 'complete' });
      expect(refused).toMatchObject([{ code: 'entry-conflict' }]);
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', hear);
    }
  });

  it('without a running turn, or for another one, is refused and not stored', async () => {
    const session = await open();
    await expect(steerTurn(session, 'Hello?')).rejects.toMatchObject({ code: 'turn-not-running' });
    const other = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e99';
    const refused: unknown[] = [];
    const model = scriptedModel([
      {
        text: 'One two',
        onHalf: () =>
          steerTurn(session, 'x', { turn: other }).then(
            () => {},
            (e) => void refused.push(e.code),
          ),
      },
    ]);
    await runTurn(session, 'Count', { model });
    expect(refused).toEqual(['turn-not-running']);
    await expect(steerTurn(session, 'Too late')).rejects.toMatchObject({ code: 'turn-not-running' });
    expect(said(await told(session))).toEqual(['user: Count', 'assistant: One two']);
  });

  it.each([
    ['the turn goes on', undefined],
    ['another question is asked', 'Never mind.'],
  ])('survives a crash before the model had it, when %s', async (_, question) => {
    const clock = fixedClock();
    const store = createMemoryStore({ now: clock.now });
    await store.create({ id: 's' });
    // The question, the steering note, and then the process dies.
    const session = await openSession(crashAfter(store, 2), 's');
    const model = scriptedModel([
      { text: 'One two', onHalf: async () => void (await steerTurn(session, 'Three.')) },
    ]);
    await expect(runTurn(session, 'Count', { model })).rejects.toThrow('crash');
    clock.advance(60_000);
    await using next = await openSession(store, 's');
    const { unfinished } = await recoverTurn(next);
    const answers = scriptedModel([{ text: 'Three it is.' }]);
    const input = question ?? { id: unfinished!.id, parts: 'Count' };
    await runTurn(next, input, { model: answers });
    expect(said(await told(next))).toContain('user: Three.');
    expect(said(await told(next)).filter((line) => line === 'user: Three.')).toHaveLength(1);
    expect(JSON.stringify(answers.requests[0]!.prompt)).toContain('Three.');
  });
});
