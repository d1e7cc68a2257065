import { describe, expect, it } from 'vitest';
import { listTurns, recoverTurn, runTurn, steerTurn, type TurnEvent } from '../../../src/agent/index.ts';
import { createSession, openSession, type Session } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { scriptedModel } from '../scripted-model.ts';
import { told } from '../told.ts';

const X = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e61';
const open = (): Promise<Session> => createSession(createMemoryStore(), { id: 's' });
const statuses = async (session: Session) =>
  (await listTurns(session.store, await session.refresh())).map(({ question, status }) => [question, status]);
const said = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('('));

/** A model whose first answer waits at half until the gate opens. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const half = Promise.withResolvers<void>();
  const model = scriptedModel((_, index) => ({
    text: `answer ${index}`,
    ...(index === 0 && {
      onHalf: () => {
        half.resolve();
        return gate.promise;
      },
    }),
  }));
  return { model, gate, half: half.promise };
}

describe('an id that is given twice', () => {
  it('while its own turn runs gives the result of that turn, and nothing waits afterwards', async () => {
    const session = await open();
    const { model, gate, half } = gated();
    const first = runTurn(session, { id: X, parts: 'one' }, { model });
    await half;
    const again = runTurn(session, { id: X, parts: 'one' }, { model });
    gate.resolve();
    expect((await Promise.all([first, again])).map(({ text }) => text)).toEqual(['answer 0', 'answer 0']);
    expect(await statuses(session)).toEqual([['one', 'complete']]);
    expect(model.requests).toHaveLength(1);
    expect((await recoverTurn(session)).waiting).toEqual([]);
  });

  it('at the same moment is asked once', async () => {
    const session = await open();
    const { model, gate } = gated();
    gate.resolve();
    const runs = Array.from({ length: 5 }, () => runTurn(session, { id: X, parts: 'one' }, { model }));
    expect((await Promise.all(runs)).every(({ text }) => text === 'answer 0')).toBe(true);
    expect(model.requests).toHaveLength(1);
    expect(await statuses(session)).toEqual([['one', 'complete']]);
  });

  it('while it waits is stored once; with other words it is refused at once', async () => {
    const session = await open();
    const { model, gate, half } = gated();
    const first = runTurn(session, 'before', { model });
    await half;
    const stored = Promise.withResolvers<void>();
    const onEvent = ({ type }: TurnEvent) => type === 'input-stored' && stored.resolve();
    const queued = runTurn(session, { id: X, parts: 'queued' }, { model, onEvent });
    await stored.promise;
    const other = runTurn(session, { id: X, parts: 'DIFFERENT' }, { model });
    await expect(other).rejects.toMatchObject({ code: 'entry-conflict' });
    const again = runTurn(session, { id: X, parts: 'queued' }, { model });
    gate.resolve();
    await Promise.all([first, queued, again]);
    expect(await statuses(session)).toEqual([
      ['queued', 'complete'],
      ['before', 'complete'],
    ]);
    expect(model.requests).toHaveLength(2);
  });

  it('of a turn that was cut, while a later turn runs, tells how it ended and leaves nothing waiting', async () => {
    const session = await open();
    const stop = new AbortController();
    const cut = scriptedModel([{ text: 'One two', accident: 'hang' }]);
    const onEvent = ({ type }: TurnEvent) => type === 'text-delta' && stop.abort();
    await runTurn(session, { id: X, parts: 'one' }, { model: cut, signal: stop.signal, onEvent });
    const { model, gate, half } = gated();
    const later = runTurn(session, 'two', { model });
    await half;
    const again = runTurn(session, { id: X, parts: 'one' }, { model });
    gate.resolve();
    await later;
    expect((await again).status).toBe('interrupted');
    expect(await statuses(session)).toEqual([
      ['two', 'complete'],
      ['one', 'interrupted'],
    ]);
  });
});

describe('the id of a message that was handed in', () => {
  it('with other words is refused, and the first words stay', async () => {
    const session = await open();
    const refused: unknown[] = [];
    const model = scriptedModel((_, index) => ({
      text: `answer ${index}`,
      ...(index === 0 && {
        onHalf: async () => {
          await steerTurn(session, { id: X, parts: 'Red.' });
          await steerTurn(session, { id: X, parts: 'Blue.' }).catch(({ code }) => refused.push(code));
        },
      }),
    }));
    await runTurn(session, 'Paint it.', { model });
    expect(refused).toEqual(['entry-conflict']);
    expect(said(await told(session))).toContain('user: Red.');
    expect(said(await told(session))).not.toContain('user: Blue.');
  });

  it('gives its first result again: when the turn is over, in a later turn, and after a restart', async () => {
    const session = await open();
    const model = scriptedModel((_, index) => ({
      text: `answer ${index}`,
      onHalf: async () => void (await steerTurn(session, { id: X, parts: 'Red.' })),
    }));
    const first = await runTurn(session, 'Paint it.', { model });
    const before = { turn: first.input.id, message: X };
    expect(await steerTurn(session, { id: X, parts: 'Red.' })).toEqual(before);
    const second = await runTurn(session, 'And the door?', { model });
    expect(second.status).toBe('complete');
    expect(said(await told(session)).filter((line) => line === 'user: Red.')).toHaveLength(1);
    await session.close();
    await using next = await openSession(session.store, 's');
    expect(await steerTurn(next, { id: X, parts: 'Red.' })).toEqual(before);
    await expect(steerTurn(next, { id: X, parts: 'Blue.' })).rejects.toMatchObject({
      code: 'entry-conflict',
    });
  });

  it('that is the id of a question is refused, and the turn goes on', async () => {
    const session = await open();
    const refused: unknown[] = [];
    const model = scriptedModel([
      {
        text: 'One two',
        onHalf: () =>
          steerTurn(session, { id: X, parts: 'one' }).then(
            () => {},
            ({ code }) => void refused.push(code),
          ),
      },
      { text: 'Next.' },
    ]);
    await runTurn(session, { id: X, parts: 'one' }, { model });
    expect(refused).toEqual(['entry-conflict']);
    expect((await runTurn(session, 'two', { model })).text).toBe('Next.');
  });

  it.each([
    ['failed', { error: new Error('no') }, { status: 'failed', error: { code: expect.any(String) } }],
    ['was stopped', undefined, { status: 'interrupted', cutBy: 'person' }],
  ])(
    'of a turn that %s does not take the reason away when the next question comes',
    async (_, step, record) => {
      const session = await open();
      const stop = new AbortController();
      const handIn = async () => {
        await steerTurn(session, { id: X, parts: 'Red.' });
        if (!step) stop.abort();
      };
      const model = scriptedModel((__, index) =>
        index > 0
          ? { text: 'Yes.' }
          : step
            ? { text: 'One two', accident: 'error', onHalf: handIn }
            : { text: 'One two', accident: 'hang', onHalf: handIn },
      );
      const options = { model, signal: stop.signal, retry: { times: 0 } };
      await runTurn(session, 'Paint it.', options).catch(() => {});
      await runTurn(session, 'And then?', { model });
      const [, first] = await listTurns(session.store, await session.refresh());
      expect(first).toMatchObject(record);
    },
  );

  it('lets the turn be asked again without the half of an answer that was there', async () => {
    const session = await open();
    const stop = new AbortController();
    const model = scriptedModel((_, index) =>
      index > 0
        ? { text: 'Red it is.' }
        : {
            text: 'Blue is a fine colour',
            accident: 'hang',
            onHalf: async () => {
              await steerTurn(session, 'Red.');
              stop.abort();
            },
          },
    );
    const { input } = await runTurn(session, 'Paint it.', { model, signal: stop.signal });
    await runTurn(session, { id: input.id, parts: 'Paint it.' }, { model });
    const sent = JSON.stringify(model.requests[1]!.prompt);
    expect(sent).toContain('Red.');
    expect(sent).not.toContain('Blue');
  });
});

it('a time-out that is no time is refused', async () => {
  const session = await open();
  const turn = runTurn(session, 'one', { model: scriptedModel([]), timeoutMs: 0 });
  await expect(turn).rejects.toMatchObject({ code: 'usage' });
});
