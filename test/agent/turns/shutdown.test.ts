import { describe, expect, it } from 'vitest';
import { listTurns, recoverTurn, runTurn, type TurnEvent } from '../../../src/agent/index.ts';
import { createSession, openSession, type Session } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { rehearsedTools } from '../rehearsed-turn.ts';
import { scriptedModel } from '../scripted-model.ts';
import { told } from '../told.ts';

const open = (): Promise<Session> => createSession(createMemoryStore(), { id: 's' });
const said = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('('));

/** The session as the next process opens it. */
async function reopen(session: Session): Promise<Session> {
  await session.close();
  return openSession(session.store, 's');
}

describe('the end of a process', () => {
  it('in mid-answer leaves the turn to be gone on with, and the queue as it is', async () => {
    const session = await open();
    const end = new AbortController();
    const stored = Promise.withResolvers<void>();
    const model = scriptedModel([{ text: 'One two three', accident: 'hang', onHalf: () => stored.promise }]);
    const first = runTurn(session, 'Count', {
      model,
      shutdown: end.signal,
      onEvent: ({ type }) => type === 'text-delta' && end.abort(),
    });
    const waiting = runTurn(session, 'And then?', {
      model,
      shutdown: end.signal,
      onEvent: (event: TurnEvent) => event.type === 'input-stored' && stored.resolve(),
    });
    waiting.catch(() => {});
    expect((await first).status).toBe('interrupted');
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled', details: { stored: true } });
    expect(said(await told(session))).toEqual(['user: Count', 'assistant!: One two']);

    await using next = await reopen(session);
    const turns = await listTurns(next.store, next.info);
    expect(turns.map(({ status, cutBy }) => [status, cutBy])).toEqual([
      ['waiting', null],
      ['interrupted', 'shutdown'],
    ]);
    const recovery = await recoverTurn(next);
    expect(recovery).toMatchObject({
      closed: [],
      unfinished: { body: { role: 'user' } },
      waiting: [{ parts: [{}] }],
    });
    const answers = scriptedModel([{ text: 'One two three.' }, { text: 'Four.' }]);
    await runTurn(next, { id: recovery.unfinished!.id, parts: 'Count' }, { model: answers });
    for (const input of recovery.waiting) await runTurn(next, input, { model: answers });
    expect(said(await told(next)).slice(2)).toEqual([
      'assistant: One two three.',
      'user: And then?',
      'assistant: Four.',
    ]);
    const after = await listTurns(next.store, next.info);
    expect(after.map(({ status }) => status)).toEqual(['complete', 'complete']);
  });

  it('before the answer leaves the question alone', async () => {
    const session = await open();
    const end = new AbortController();
    const model = scriptedModel([]);
    model.languageModel.doStream = () => {
      end.abort();
      return new Promise(() => {});
    };
    await runTurn(session, 'Count', { model, shutdown: end.signal });
    expect(said(await told(session))).toEqual(['user: Count']);
  });

  it('takes no question that was not stored, and says so', async () => {
    const session = await open();
    const turn = runTurn(session, 'Count', { model: scriptedModel([]), shutdown: AbortSignal.abort() });
    await expect(turn).rejects.toMatchObject({ code: 'cancelled', details: { stored: false } });
    expect(await session.read()).toEqual([]);
  });

  it('in a tool that may be repeated leaves it to the next process; in any other it says that it may have run', async () => {
    const session = await open();
    const end = new AbortController();
    const calls = [
      { id: 'a', name: 'look', input: { at: 'house' } },
      { id: 'b', name: 'paint', input: { coat: 1 } },
    ];
    const tools = rehearsedTools(() => {});
    const dying = {
      ...tools,
      look: {
        ...tools.look!,
        execute: () => {
          end.abort();
          return new Promise(() => {});
        },
      },
    };
    const model = scriptedModel([{ calls }]);
    expect((await runTurn(session, 'Paint it', { model, tools: dying, shutdown: end.signal })).status).toBe(
      'interrupted',
    );
    expect(said(await told(session))).toHaveLength(2);
    await using next = await reopen(session);
    const { unfinished } = await recoverTurn(next, { tools });
    const answers = scriptedModel([{ text: 'Done.' }]);
    await runTurn(next, { id: unfinished!.id, parts: 'Paint it' }, { model: answers, tools });
    expect(said(await told(next)).slice(2)).toEqual([
      'tool: = the house is grey',
      'tool: = coat 1 is on',
      'assistant: Done.',
    ]);
  });

  it('while a person is asked about a tool leaves the question open: the tool was not begun', async () => {
    const session = await open();
    const end = new AbortController();
    const tools = {
      wipe: { inputSchema: { type: 'object' }, needsApproval: true, execute: () => 'wiped' },
    } as never;
    const model = scriptedModel([{ calls: [{ id: 'a', name: 'wipe', input: {} }] }]);
    const approve = () => {
      end.abort();
      return new Promise<boolean>(() => {});
    };
    await runTurn(session, 'Wipe it', { model, tools, approve, shutdown: end.signal });
    await using next = await reopen(session);
    expect((await recoverTurn(next, { tools })).closed).toEqual([]);
    const id = (await next.read())[0]!.id;
    const answers = scriptedModel([{ text: 'Done.' }]);
    await runTurn(next, { id, parts: 'Wipe it' }, { model: answers, tools, approve: async () => true });
    expect(said(await told(next)).slice(2)).toEqual(['tool: = wiped', 'assistant: Done.']);
  });
});
