import { describe, expect, it } from 'vitest';
import { MAYBE_RUN, NOT_RUN } from '../../src/agent/close-turn.ts';
import { continueTurn, recoverTurn, runTurn, type ToolRun } from '../../src/agent/index.ts';
import { createSession, forkSession, openSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { rehearsedModel, rehearsedTools } from './rehearsed-turn.ts';
import { scriptedModel } from './scripted-model.ts';
import { told } from './told.ts';

const RESULT = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e29';

/** A session as a crash left it: an answer with a call, and perhaps the note that the call was begun. */
async function leftOpen({ tool = 'paint', begun = true } = {}): Promise<{ store: Store; session: Session }> {
  const store = createMemoryStore();
  const session = await createSession(store, { id: 's' });
  const [, answer] = await session.append([
    user('Paint the house.'),
    assistant('', { calls: [{ name: tool, id: 'c1', input: { coat: 1, at: 'house' } }] }),
  ]);
  const begins = {
    kind: 'run',
    step: 'started',
    answer: answer!.id,
    call: 'c1',
    tool,
    result: RESULT,
  } as const;
  if (begun) await session.append([begins]);
  return { store, session };
}

describe('recovery', () => {
  it('closes a tool that was begun, under the id that its result was to have', async () => {
    const { session } = await leftOpen();
    const { closed, unfinished } = await recoverTurn(session);
    expect(closed).toMatchObject([{ id: RESULT, body: { role: 'tool', status: 'interrupted' } }]);
    expect((await told(session)).at(-1)).toBe(`tool!: = error ${MAYBE_RUN}`);
    expect(unfinished).toMatchObject({ seq: 1 });
  });

  it('leaves one that may be repeated to the next run', async () => {
    const { session } = await leftOpen({ tool: 'look' });
    const tools = rehearsedTools(() => {});
    expect((await recoverTurn(session, { tools })).closed).toEqual([]);
    await continueTurn(session, { model: scriptedModel([{ text: 'Grey.' }]), tools });
    const log = await told(session);
    expect(log.slice(2)).toEqual(['(started)', 'tool: = the house is grey', 'assistant: Grey.']);
    expect((await session.read()).map(({ id }) => id)).toContain(RESULT);
  });

  it('closes it all the same when it is not marked as repeatable', async () => {
    const { session } = await leftOpen({ tool: 'look' });
    expect((await recoverTurn(session)).closed).toHaveLength(1);
  });

  it('leaves a call that was never begun, so that the turn goes on as if nothing had happened', async () => {
    const { session } = await leftOpen({ begun: false });
    const coats: number[] = [];
    expect(await recoverTurn(session)).toMatchObject({ closed: [], unfinished: { seq: 1 } });
    await continueTurn(session, {
      model: scriptedModel([{ text: 'Done.' }]),
      tools: rehearsedTools((coat) => coats.push(coat)),
    });
    expect(coats).toEqual([1]);
  });

  it('and a new question instead: the call gets a result that says it did not run, before the question', async () => {
    const { session } = await leftOpen({ begun: false });
    const tools = rehearsedTools(() => expect.unreachable());
    await runTurn(session, 'Never mind.', { model: scriptedModel([{ text: 'Fine.' }]), tools });
    expect((await told(session)).slice(2)).toEqual([
      `tool!: = error ${NOT_RUN}`,
      'user: Never mind.',
      'assistant: Fine.',
    ]);
  });

  it('tells of a question that was never answered, and of nothing when all is well', async () => {
    const session = await createSession(createMemoryStore(), { id: 's' });
    expect(await recoverTurn(session)).toEqual({ closed: [], waiting: [] });
    const [question] = await session.append([user('Hello?')]);
    expect((await recoverTurn(session)).unfinished?.id).toBe(question!.id);
    await continueTurn(session, { model: scriptedModel([{ text: 'Yes.' }]) });
    expect(await recoverTurn(session)).toEqual({ closed: [], waiting: [] });
  });

  it('of a fork that was made while a tool ran closes the branch; the run stays where it is', async () => {
    const store = createMemoryStore();
    const session = await createSession(store, { id: 's' });
    const coats: number[] = [];
    let branch: Session | undefined;
    const { paint, ...others } = rehearsedTools((coat) => coats.push(coat));
    const tools = {
      ...others,
      paint: {
        ...paint!,
        async execute(input: unknown, run: ToolRun) {
          if (coats.length === 0)
            branch = await openSession(store, (await forkSession(store, await session.refresh())).id);
          return paint!.execute!(input, run);
        },
      },
    };
    await runTurn(session, 'Paint the house.', { model: rehearsedModel(), tools });
    expect(coats).toEqual([1, 2]);
    await recoverTurn(branch!);
    expect((await told(branch!)).at(-1)).toBe(`tool!: = error ${MAYBE_RUN}`);
    expect((await told(session)).at(-1)).toBe('assistant: The house is painted.');
    await branch!.close();
  });

  it('does not let a tool run twice in one process either, when its result could not be written', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    let broken = false;
    const failing = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          if (broken && name === 'append') throw new Error('the store is gone');
          return member.apply(target, args);
        };
      },
    });
    await using session = await openSession(failing, 's');
    const coats: number[] = [];
    const tools = rehearsedTools((coat) => {
      coats.push(coat);
      broken = coats.length === 1;
    });
    const options = { model: rehearsedModel(), tools };
    await expect(runTurn(session, 'Paint the house.', options)).rejects.toThrow('the store is gone');
    broken = false;
    expect(await continueTurn(session, options)).toMatchObject({ status: 'complete' });
    expect(coats).toEqual([1, 2]);
    expect(await told(session)).toContain(`tool!: = error ${MAYBE_RUN}`);
  });
});
