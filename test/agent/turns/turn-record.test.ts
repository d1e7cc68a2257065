import { describe, expect, it } from 'vitest';
import {
  continueTurn,
  getTurn,
  listTurns,
  recoverTurn,
  retryTurn,
  runTurn,
  type TurnEvent,
  waitForTurn,
} from '../../../src/agent/index.ts';
import { createSession, forkSession, openSession, type Session } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, crashAfter, fixedClock, user } from '../../../src/testing/index.ts';
import { rehearse } from '../rehearsed-turn.ts';
import { type Scripted, scriptedModel } from '../scripted-model.ts';
import { told } from '../told.ts';

const open = (): Promise<Session> => createSession(createMemoryStore(), { id: 's' });
const turnsOf = async (session: Session) => listTurns(session.store, await session.refresh());
const statuses = async (session: Session) => (await turnsOf(session)).map(({ status }) => status);

function ask(session: Session, script: readonly Scripted[], options = {}) {
  return runTurn(session, 'Count', { model: scriptedModel(script), retry: { times: 0 }, ...options });
}

const stopAtFirstWord = (stop: AbortController) => ({
  onEvent: ({ type }: TurnEvent) => type === 'text-delta' && stop.abort(),
});

describe('the record of a turn', () => {
  it('of a fork does not say that a process died while the turn runs on in the parent', async () => {
    const session = await open();
    const half = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const running = ask(session, [
      {
        text: 'One, two.',
        async onHalf() {
          half.resolve();
          await go.promise;
        },
      },
    ]);
    await half.promise;
    const { id } = await forkSession(session.store, await session.refresh());
    await using fork = await openSession(session.store, id);
    expect(await turnsOf(fork)).toMatchObject([{ status: 'interrupted', cutBy: null }]);
    expect((await recoverTurn(fork)).turn).toMatchObject({ status: 'interrupted', cutBy: null });
    go.resolve();
    await running;
    expect(await turnsOf(fork)).toMatchObject([{ status: 'interrupted', cutBy: null }]);
    expect(await turnsOf(session)).toMatchObject([{ status: 'complete' }]);
  });

  it('says what a whole turn used, when it began and ended, and who answered', async () => {
    const clock = fixedClock();
    const store = createMemoryStore({ now: clock.now });
    const session = await createSession(store, { id: 's' }, { now: clock.now });
    const began = clock.now();
    await ask(session, [{ text: 'One.', usage: { input: 7, output: 2 }, onHalf: () => clock.advance(500) }]);
    const [turn] = await turnsOf(session);
    const [question, answer] = await session.read();
    expect(turn).toMatchObject({
      id: question!.id,
      seq: 1,
      status: 'complete',
      question: 'Count',
      askedAt: began,
      beganAt: began,
      endedAt: began + 500,
      attempts: 1,
      answer: answer!.id,
      model: 'compatible:scripted',
      answers: 1,
      usage: { inputTokens: 7, outputTokens: 2 },
      cutBy: null,
      error: null,
    });
    expect(await getTurn(session.store, session.info, turn!.id)).toEqual(turn);
    expect((await session.read()).map(({ body }) => body.kind)).toEqual(['message', 'message']);
  });

  it('keeps the code and the sentence of a failure, and loses them when the turn is asked again', async () => {
    const session = await open();
    const error = Object.assign(new Error('no'), { statusCode: 401 });
    await expect(ask(session, [{ error }])).rejects.toThrow();
    const [failed] = await turnsOf(session);
    expect(failed).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^model-/) } });
    expect(failed!.error!.message).not.toBe('');
    // A second process reads the same.
    expect(await getTurn(session.store, session.info, failed!.id)).toEqual(failed);
    await retryTurn(session, { model: scriptedModel([{ text: 'One.' }]) });
    expect(await turnsOf(session)).toMatchObject([{ status: 'complete', attempts: 2, error: null }]);
  });

  it('of an answer that broke in the middle has the part and the reason, written once', async () => {
    const session = await open();
    await expect(ask(session, [{ text: 'One two three', accident: 'error' }])).rejects.toThrow();
    expect(await told(session)).toEqual(['user: Count', 'assistant!: One two']);
    expect(await turnsOf(session)).toMatchObject([{ status: 'failed', answer: expect.any(String) }]);
    const ends = (await session.read()).filter(({ body }) => body.kind === 'run' && body.step === 'ended');
    expect(ends).toHaveLength(1);
  });

  it('that a person stopped can be gone on with, and asked again after a reload', async () => {
    const session = await open();
    const stop = new AbortController();
    const script = [{ text: 'One two three', accident: 'hang' as const }];
    await ask(session, script, { signal: stop.signal, ...stopAtFirstWord(stop) });
    expect(await turnsOf(session)).toMatchObject([{ status: 'interrupted', cutBy: 'person' }]);
    await session.close();
    await using again = await openSession(session.store, 's');
    const { unfinished, turn } = await recoverTurn(again);
    expect(unfinished?.seq).toBe(1);
    expect(turn).toMatchObject({ status: 'interrupted', cutBy: 'person' });
    await continueTurn(again, { model: scriptedModel([{ text: 'One two three four' }]) });
    expect(await turnsOf(again)).toMatchObject([{ status: 'complete', attempts: 2 }]);
  });

  it('that reached its limit says so, and goes on', async () => {
    const session = await open();
    const call = { calls: [{ id: 'a', name: 'look' }] };
    const tools = { look: { inputSchema: { type: 'object' }, execute: () => 'seen' } } as never;
    await ask(session, [call], { tools, maxSteps: 1 });
    expect(await statuses(session)).toEqual(['step-limit']);
    expect((await recoverTurn(session)).turn).toMatchObject({ status: 'step-limit' });
    await continueTurn(session, { model: scriptedModel([{ text: 'Done.' }]), tools });
    expect(await statuses(session)).toEqual(['complete']);
  });

  it('runs while a process holds the session, waits behind that, and is interrupted once the process is gone', async () => {
    const clock = fixedClock();
    const store = createMemoryStore({ now: clock.now });
    const session = await createSession(store, { id: 's' });
    const half = Promise.withResolvers<void>();
    const model = scriptedModel([{ text: 'One two', accident: 'hang', onHalf: () => half.resolve() }]);
    void runTurn(session, 'Count', { model }).catch(() => {});
    await half.promise;
    const waiting = Promise.withResolvers<void>();
    const onEvent = ({ type }: TurnEvent) => type === 'input-stored' && waiting.resolve();
    void runTurn(session, 'And then?', { model, onEvent }).catch(() => {});
    await waiting.promise;
    expect(await statuses(session)).toEqual(['waiting', 'running']);
    const [next] = await turnsOf(session);
    expect(next).toMatchObject({ seq: null, beganAt: null, endedAt: null, question: 'And then?' });
    expect(await getTurn(store, session.info, next!.id)).toEqual(next);
    // The process is gone: nothing renews its lease.
    clock.advance(60_000);
    expect(await statuses(session)).toEqual(['waiting', 'interrupted']);
  });

  it('of a question that no process works on is interrupted, in any process', async () => {
    const session = await open();
    await session.append([user('a'), assistant('b'), user('c'), user('d')]);
    await session.close();
    expect(await statuses(session)).toEqual(['interrupted', 'interrupted', 'complete']);
  });

  it.each(Array.from({ length: 10 }, (_, writes) => writes))(
    'after a crash behind %i writes is interrupted, and complete once it has gone on',
    async (writes) => {
      const clock = fixedClock();
      await using store = createMemoryStore({ now: clock.now });
      await store.create({ id: 's' });
      await rehearse(crashAfter(store, writes), () => {}).catch(() => {});
      clock.advance(60_000);
      const before = await listTurns(store, (await store.session('s'))!);
      const last = writes >= 10 ? 'complete' : 'interrupted';
      expect(before.map(({ status }) => status)).toEqual(writes === 0 ? [] : [last]);
      await rehearse(store, () => {});
      const after = await listTurns(store, (await store.session('s'))!);
      expect(after.map(({ status }) => status)).toEqual(['complete']);
    },
  );
});

describe('turns', () => {
  it('are listed newest first, page by page', async () => {
    const session = await open();
    const model = scriptedModel(() => ({ text: 'Yes.' }));
    for (let n = 1; n <= 7; n++) await runTurn(session, `question ${n}`, { model });
    const seen: string[] = [];
    for (let before: number | undefined; ; ) {
      const page = await listTurns(session.store, session.info, {
        limit: 3,
        ...(before !== undefined && { before }),
      });
      seen.push(...page.map(({ question }) => question));
      if (page.length < 3) break;
      before = page.at(-1)!.seq!;
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `question ${n}`));
  });

  it('that are whole are not asked again, nor are those that others followed', async () => {
    const session = await open();
    const model = scriptedModel(() => ({ text: 'Yes.' }));
    await runTurn(session, 'first', { model });
    await runTurn(session, 'second', { model });
    const [second, first] = await turnsOf(session);
    await expect(retryTurn(session, { model })).rejects.toMatchObject({ code: 'usage' });
    await expect(retryTurn(session, { model, turn: second!.id })).rejects.toMatchObject({ code: 'usage' });
    await expect(retryTurn(session, { model, turn: first!.id })).rejects.toThrow('not the newest');
    const nowhere = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e99';
    await expect(retryTurn(session, { model, turn: nowhere })).rejects.toMatchObject({
      code: 'turn-not-found',
    });
    expect(await session.read()).toHaveLength(4);
  });

  it('can be waited for, also while they wait themselves', async () => {
    const session = await open();
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(() => ({ text: 'One two', onHalf: () => gate.promise }));
    const ids = ['019b6f1c-3f68-7000-9a41-5c0f2b7d8e31', '019b6f1c-3f68-7000-9a41-5c0f2b7d8e32'];
    const stored = ids.map(() => Promise.withResolvers<void>());
    const runs = ids.map((id, index) =>
      runTurn(
        session,
        { id, parts: `q${index}` },
        {
          model,
          onEvent: ({ type }) => type === 'input-stored' && stored[index]!.resolve(),
        },
      ),
    );
    await Promise.all(stored.map(({ promise }) => promise));
    const waits = ids.map((turn) => waitForTurn(session.store, { session: 's', turn }));
    gate.resolve();
    expect(await Promise.all(waits)).toMatchObject([{ status: 'complete' }, { status: 'complete' }]);
    await Promise.all(runs);
  });
});
