import { describe, expect, it } from 'vitest';
import { continueTurn, recoverTurn, runTurn, type TurnEvent } from '../../src/agent/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { scriptedModel } from './scripted-model.ts';
import { told } from './told.ts';

const open = (): Promise<Session> => createSession(createMemoryStore(), { id: 's' });
const anything = { type: 'object' };

/** Stops as soon as somebody has seen the beginning of the answer. */
function stopsAtFirstWord() {
  const stop = new AbortController();
  const onEvent = ({ type }: TurnEvent) => type === 'text-delta' && stop.abort();
  return { signal: stop.signal, onEvent };
}

describe('a stopped turn', () => {
  it('in the middle of an answer keeps the answer so far, marked as interrupted', async () => {
    const session = await open();
    const model = scriptedModel([{ reasoning: 'Hm.', text: 'One two three four', accident: 'hang' }]);
    const result = await runTurn(session, 'Count', { model, ...stopsAtFirstWord() });
    expect(result.status).toBe('interrupted');
    expect(await told(session)).toEqual(['user: Count', 'assistant!: <Hm.> One two t']);
    const [, answer] = await session.read();
    expect(answer!.body).toMatchObject({ model: model.id, meta: { run: { cutBy: 'person' } } });
  });

  it('before anything came keeps the input and says that it was stopped', async () => {
    const session = await open();
    const { status } = await runTurn(session, 'Count', {
      model: scriptedModel([]),
      signal: AbortSignal.abort(),
    });
    expect(status).toBe('interrupted');
    expect(await told(session)).toEqual(['user: Count', 'assistant!:']);
    expect(await recoverTurn(session)).toMatchObject({
      closed: [],
      unfinished: { seq: 1 },
      turn: { status: 'interrupted', cutBy: 'person' },
      waiting: [],
    });
  });

  it('while a model ignores it, does not wait for the model', async () => {
    const session = await open();
    const stop = new AbortController();
    const model = scriptedModel([{ text: 'x' }]);
    model.languageModel.doStream = () => {
      stop.abort();
      return new Promise(() => {});
    };
    expect((await runTurn(session, 'Hello?', { model, signal: stop.signal })).status).toBe('interrupted');
  });

  it('while a tool runs, gives it a result that says so, and those after it one that says they did not run', async () => {
    const session = await open();
    const stop = new AbortController();
    const ran: string[] = [];
    const model = scriptedModel([
      {
        calls: [
          { id: 'a', name: 'slow' },
          { id: 'b', name: 'next' },
        ],
      },
    ]);
    const tools = {
      slow: {
        inputSchema: anything,
        execute() {
          ran.push('slow');
          stop.abort();
          return new Promise(() => {}); // deaf to its signal
        },
      },
      next: { inputSchema: anything, execute: () => ran.push('next') },
    };
    const { status } = await runTurn(session, 'Go', { model, tools, signal: stop.signal });
    expect(status).toBe('interrupted');
    expect(ran).toEqual(['slow']);
    expect((await told(session)).slice(2)).toEqual([
      '(started)',
      expect.stringMatching(/^tool!: = error Interrupted: .*It may have had an effect/),
      expect.stringMatching(/^tool!: = error Not run/),
      'assistant!:',
    ]);
  });

  it('while an approval is asked for, runs nothing', async () => {
    const session = await open();
    const stop = new AbortController();
    const model = scriptedModel([{ calls: [{ id: 'a', name: 'shell' }] }]);
    const tools = {
      shell: { inputSchema: anything, needsApproval: true, execute: () => expect.unreachable() },
    };
    await runTurn(session, 'Go', {
      model,
      tools,
      signal: stop.signal,
      approve() {
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect((await told(session)).slice(2)).toEqual([
      expect.stringMatching(/^tool!: = error Not run/),
      'assistant!:',
    ]);
  });

  it('while it waits to try again, ends at once', async () => {
    const session = await open();
    const stop = new AbortController();
    const error = Object.assign(new Error('busy'), {
      statusCode: 429,
      responseHeaders: { 'retry-after': '30' },
    });
    const { status } = await runTurn(session, 'Go', {
      model: scriptedModel([{ error }]),
      signal: stop.signal,
      onEvent: ({ type }) => type === 'retry-start' && stop.abort(),
    });
    expect(status).toBe('interrupted');
  });

  it('goes on upon request: the model answers afresh and is not sent half a sentence', async () => {
    const session = await open();
    const model = scriptedModel([
      { text: 'One two three', accident: 'hang' },
      { text: 'One two three four.' },
      { text: 'Five.' },
    ]);
    await runTurn(session, 'Count', { model, ...stopsAtFirstWord() });
    const { status, text } = await continueTurn(session, { model });
    expect({ status, text }).toEqual({ status: 'complete', text: 'One two three four.' });
    expect(model.requests[1]!.prompt.map(({ role }) => role)).toEqual(['user']);

    await runTurn(session, 'And on', { model });
    expect(model.requests[2]!.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(await told(session)).toEqual([
      'user: Count',
      'assistant!: One two',
      'assistant: One two three four.',
      'user: And on',
      'assistant: Five.',
    ]);
  });

  it('can be followed by another question instead', async () => {
    const session = await open();
    const model = scriptedModel([{ text: 'A long story', accident: 'hang' }, { text: 'Short, then.' }]);
    await runTurn(session, 'Tell me', { model, ...stopsAtFirstWord() });
    await runTurn(session, 'Shorter', { model });
    expect(model.requests[1]!.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });
});
