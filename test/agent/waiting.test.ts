import { describe, expect, it } from 'vitest';
import { recoverTurn, runTurn, type TurnEvent } from '../../src/agent/index.ts';
import { ThroughlineError } from '../../src/errors.ts';
import { createSession, forkSession, openSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { fixedClock } from '../../src/testing/index.ts';
import { scriptedModel } from './scripted-model.ts';
import { told } from './told.ts';

const clock = fixedClock();
const open = async (): Promise<{ store: Store; session: Session }> => {
  const store = createMemoryStore({ now: clock.now });
  return { store, session: await createSession(store, { id: 's' }) };
};
const said = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('('));

it('a turn right after another does not wait, and nothing is written about it', async () => {
  const session = await createSession(createMemoryStore(), { id: 'one-by-one' });
  for (const text of ['first', 'second', 'third']) await runTurn(session, text, { model: 'offline' });
  expect((await session.read()).map(({ body }) => body.kind)).toEqual(Array(6).fill('message'));
});

describe('a message during a turn', () => {
  it('is stored before it is acknowledged, and runs afterwards, in the order it came', async () => {
    const { session } = await open();
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(({ prompt }) => ({
      text: `answer to ${JSON.stringify(prompt.at(-1)!.content).match(/q\d/)?.[0]}`,
      onHalf: () => gate.promise,
    }));
    const events: TurnEvent[] = [];
    const onEvent = (event: TurnEvent) => events.push(event);
    const stored = async (count: number) => {
      while (events.filter(({ type }) => type === 'input-stored').length < count)
        await new Promise(setImmediate);
    };
    const turns: Promise<unknown>[] = [];
    for (const [index, text] of ['q1', 'q2', 'q3'].entries()) {
      turns.push(runTurn(session, text, { model, onEvent }));
      await stored(index + 1);
    }
    expect(await told(session)).toEqual(['user: q1', '(waiting)', '(waiting)', '(waiting)', '(waiting)']);
    gate.resolve();
    await Promise.all(turns);
    expect(said(await told(session))).toEqual([
      'user: q1',
      'assistant: answer to q1',
      'user: q2',
      'assistant: answer to q2',
      'user: q3',
      'assistant: answer to q3',
    ]);
    expect(session.info.state.settings.waiting).toBeUndefined();
    // No answer was given with a question in sight that came later.
    expect(model.requests.map(({ prompt }) => prompt.length)).toEqual([1, 3, 5]);
  });

  it('is still there when the process dies, under its own id, and can be run then', async () => {
    const { store, session } = await open();
    const model = scriptedModel([{ text: 'never', accident: 'hang' }]);
    const [begun, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    runTurn(session, 'first', { model, onEvent: () => begun.resolve() }).catch(() => {});
    await begun.promise;
    const second = { id: '019b6f1c-3f68-7000-9a41-5c0f2b7d8e22', parts: 'second', meta: { from: 'phone' } };
    runTurn(session, second, { model, onEvent: () => stored.resolve() }).catch(() => {});
    await stored.promise;
    clock.advance(60_000);

    await using next = await openSession(store, 's');
    const { waiting, unfinished } = await recoverTurn(next);
    expect(unfinished).toMatchObject({ seq: 1 });
    expect(waiting).toEqual([{ ...second, parts: [{ type: 'text', text: 'second' }] }]);
    const answers = scriptedModel([{ text: 'To the second.' }]);
    const { input } = await runTurn(next, waiting[0]!, { model: answers });
    expect(input.id).toBe(second.id);
    expect((await recoverTurn(next)).waiting).toEqual([]);
  });

  it('belongs to the session it was said in, and not to a fork of it', async () => {
    const { store, session } = await open();
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(() => ({ text: 'answer', onHalf: () => gate.promise }));
    const stored = Promise.withResolvers<void>();
    const first = runTurn(session, 'first', { model });
    const second = runTurn(session, 'second', { model, onEvent: () => stored.resolve() });
    await stored.promise;

    const fork = await forkSession(store, await session.refresh());
    await using branch = await openSession(store, fork.id);
    expect((await recoverTurn(branch)).waiting).toEqual([]);
    gate.resolve();
    await Promise.all([first, second]);
  });

  it('gets its turn also when the one before it fails', async () => {
    const { session } = await open();
    const error = Object.assign(new Error('no'), { statusCode: 401 });
    const model = scriptedModel([{ error }, { text: 'Here.' }]);
    const first = runTurn(session, 'first', { model });
    const second = runTurn(session, 'second', { model });
    await expect(first).rejects.toMatchObject({ code: 'model-refused' });
    expect((await second).text).toBe('Here.');
  });

  it('is refused if the disk is full, and the next one still waits for the turn that runs', async () => {
    const { store } = await open();
    const refuse: { next: boolean } = { next: false };
    const fussy = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          const full = name === 'append' && refuse.next;
          if (full) refuse.next = false;
          if (full) throw new ThroughlineError('store-full', 'The disk is full.');
          return member.apply(target, args);
        };
      },
    });
    const session = await createSession(fussy, { id: 'fussy' });
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(() => ({ text: 'answer', onHalf: () => gate.promise }));
    const begun = Promise.withResolvers<void>();
    const first = runTurn(session, 'first', { model, onEvent: () => begun.resolve() });
    await begun.promise;
    refuse.next = true;
    await expect(runTurn(session, 'second', { model })).rejects.toMatchObject({ code: 'not-saved' });
    const stored = Promise.withResolvers<void>();
    const third = runTurn(session, 'third', { model, onEvent: () => stored.resolve() });
    await stored.promise;
    await new Promise(setImmediate);
    expect(model.requests).toHaveLength(1);
    gate.resolve();
    await Promise.all([first, third]);
    expect(said(await told(session))).toEqual([
      ...['user: first', 'assistant: answer'],
      ...['user: third', 'assistant: answer'],
    ]);
    // It was told that it is not saved, and still it is not lost: it waits.
    expect((await recoverTurn(session)).waiting).toMatchObject([{ parts: [{ text: 'second' }] }]);
  });

  it('is refused if it says nothing, or if the session was not opened to write', async () => {
    const { session } = await open();
    await expect(runTurn(session, '   \n ', {})).rejects.toMatchObject({ code: 'usage' });
    await using reader = await openSession(session.store, 's', { mode: 'read' });
    await expect(runTurn(reader, 'Hi')).rejects.toMatchObject({ code: 'usage' });
    expect(await told(session)).toEqual([]);
  });
});
