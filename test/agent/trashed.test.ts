import { describe, expect, it } from 'vitest';
import { continueTurn, recoverTurn, retryTurn, runTurn, steerTurn } from '../../src/agent/index.ts';
import { createSession, openSession, restoreSession, trashSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { scriptedModel } from './scripted-model.ts';
import { told } from './told.ts';

const REFUSED = { code: 'session-trashed', details: { session: 's' } };

async function open() {
  const store = createMemoryStore();
  return { store, session: await createSession(store, { id: 's' }) };
}

describe('a session in the trash', () => {
  it('takes no message: nothing is stored and no model is asked, until it is restored', async () => {
    const { store, session } = await open();
    // By another program: this handle is not told.
    await trashSession(store, 's');
    const model = scriptedModel([{ text: 'Hello.' }]);
    const { head } = (await store.session('s'))!;
    await expect(runTurn(session, 'Hi', { model })).rejects.toMatchObject(REFUSED);
    expect([(await store.session('s'))!.head, model.requests.length]).toEqual([head, 0]);
    await restoreSession(store, 's');
    expect(await runTurn(session, 'Hi', { model })).toMatchObject({ status: 'complete' });
  });

  it('asks no question again', async () => {
    const { store, session } = await open();
    const model = scriptedModel([{ text: 'Hello.' }]);
    await runTurn(session, 'Hi', { model, signal: AbortSignal.abort() });
    await trashSession(store, 's');
    for (const ask of [retryTurn, continueTurn])
      await expect(ask(session, { model })).rejects.toMatchObject(REFUSED);
    expect(model.requests).toEqual([]);
    await restoreSession(store, 's');
    expect(await retryTurn(session, { model })).toMatchObject({ status: 'complete' });
  });

  it('keeps a message that was stored a moment before, and the error says so', async () => {
    const { store, session } = await open();
    const id = '01890000-0000-7000-8000-00000000beef';
    const model = scriptedModel([{ text: 'Hello.' }]);
    const append = session.append.bind(session);
    // Another program is as quick as can be: the session is in the trash when the message is acknowledged.
    const raced = Object.assign(Object.create(session) as typeof session, {
      append: async (entries: Parameters<typeof append>[0]) => {
        const stored = await append(entries);
        if (stored.some((entry) => entry.id === id)) await trashSession(store, 's');
        return stored;
      },
    });
    const refused = await runTurn(raced, { id, parts: 'Hi' }, { model }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'session-trashed',
      message: expect.stringMatching(/is kept in it, without an answer: restore the session and go on/),
      details: { stored: id },
    });
    expect([(await store.entry('s', id))?.id, model.requests.length]).toEqual([id, 0]);
    await restoreSession(store, 's');
    expect(await continueTurn(session, { model })).toMatchObject({ status: 'complete' });
  });

  it('gives the result of a turn that is over, as ever', async () => {
    const { store, session } = await open();
    const input = { id: '01890000-0000-7000-8000-00000000beef', parts: 'Hi' };
    const model = scriptedModel([{ text: 'Hello.' }]);
    await runTurn(session, input, { model });
    await trashSession(store, 's');
    expect(await runTurn(session, input, { model })).toMatchObject({ status: 'complete' });
  });

  it('lets the turn end that ran when it was put there, and keeps what waits for when it is restored', async () => {
    const { store, session } = await open();
    const gate = Promise.withResolvers<void>();
    const half = Promise.withResolvers<void>();
    const model = scriptedModel(() => ({
      text: 'A long answer.',
      onHalf: () => {
        half.resolve();
        return gate.promise;
      },
    }));
    const running = runTurn(session, 'first', { model });
    await half.promise;
    const stored = Promise.withResolvers<void>();
    const waiting = runTurn(session, 'second', {
      model,
      onEvent: ({ type }) => void (type === 'input-stored' && stored.resolve()),
    });
    await stored.promise;
    await trashSession(store, 's');
    for (const more of [runTurn(session, 'third', { model }), steerTurn(session, 'and this')])
      await expect(more).rejects.toMatchObject(REFUSED);
    const kept = (error: { code: string; message: string; details: { stored?: string } }) =>
      error.code === 'session-trashed' && error.message.includes(`${error.details.stored} is kept in it`);
    const refused = expect(waiting).rejects.toSatisfy(kept);
    gate.resolve();
    expect(await running).toMatchObject({ status: 'complete' });
    await refused;
    await session.close();
    await restoreSession(store, 's');
    const again = await openSession(store, 's');
    const left = await recoverTurn(again);
    expect(left.waiting).toHaveLength(1);
    await runTurn(again, left.waiting[0]!, { model: scriptedModel([{ text: 'Second answer.' }]) });
    expect((await told(again)).filter((line) => !line.startsWith('('))).toEqual([
      'user: first',
      'assistant: A long answer.',
      'user: second',
      'assistant: Second answer.',
    ]);
  });
});
