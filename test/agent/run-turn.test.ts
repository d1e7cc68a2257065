import { describe, expect, it } from 'vitest';
import { continueTurn, readCalls, runTurn, streamTurn, type TurnEvent } from '../../src/agent/index.ts';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { newEntryId } from '../../src/record/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { apiError, scriptedModel } from './scripted-model.ts';
import { told } from './told.ts';

const open = (): Promise<Session> => createSession(createMemoryStore(), { id: 's' });
const loop = { inputSchema: { type: 'object' }, execute: () => 'again' };

describe('a turn', () => {
  it('writes the input down, then the answer, with what it used', async () => {
    const session = await open();
    const model = scriptedModel([{ text: 'Hello there.', usage: { input: 12, output: 3 } }]);
    const result = await runTurn(session, 'Hi', { model });
    expect(await told(session)).toEqual(['user: Hi', 'assistant: Hello there.']);
    expect(result).toMatchObject({ status: 'complete', text: 'Hello there.', answers: 1 });
    expect((await session.read())[1]!.body).toMatchObject({
      model: 'compatible:scripted',
      usage: { inputTokens: 12, outputTokens: 3 },
      durationMs: expect.any(Number),
      meta: { run: { finishReason: 'stop', estimated: expect.any(Number) } },
    });
  });

  it('has its input on disk before the model hears of it', async () => {
    const session = await open();
    const model = scriptedModel(() => ({ text: 'ok', error: apiError(500, 'dead') }));
    const seen: number[] = [];
    const { doStream } = model.languageModel;
    model.languageModel.doStream = async (options) => {
      seen.push((await session.store.read('s')).length);
      return doStream(options);
    };
    await expect(runTurn(session, 'Hi', { model, retry: { times: 0 } })).rejects.toThrow('dead');
    expect(seen).toEqual([1]);
  });

  it('tells what happens as it happens', async () => {
    const session = await open();
    const model = scriptedModel([{ text: 'Hm.', calls: [{ id: 'c', name: 'loop' }] }, { text: 'Done.' }]);
    const events: string[] = [];
    for await (const { type } of streamTurn(session, 'Go', { model, tools: { loop } })) events.push(type);
    expect(events).toEqual([
      'input-stored',
      ...['request-start', 'text-delta', 'text-delta', 'answer-end', 'tool-start', 'tool-end'],
      ...['request-start', 'text-delta', 'text-delta', 'answer-end', 'turn-end'],
    ]);
  });

  it.each([
    ['maxStep', 'maxSteps'],
    ['Signal', 'signal'],
    ['constructor', undefined],
  ])('is not begun with the option "%s", which there is not', async (name, nearest) => {
    const session = await open();
    const model = scriptedModel([]);
    const refused = { code: 'usage', details: { option: name, ...(nearest && { nearest }) } };
    await expect(runTurn(session, 'Hi', { model, [name]: 5 })).rejects.toMatchObject(refused);
    await expect(streamTurn(session, 'Hi', { model, [name]: 5 }).next()).rejects.toMatchObject(refused);
    expect(await told(session)).toEqual([]);
  });

  it.each<[object, string]>([
    [{ agent: './sally.mjs' }, 'agent: await loadAgent("./sally.mjs")'],
    [{ agent: {} }, 'has no "instructions"'],
    [{ tools: [] }, '"tools" of runTurn has to be an object, and is a list'],
    [{ maxSteps: '3' }, '"maxSteps" of runTurn has to be a number, and is "3"'],
    [{ signal: {} }, '"signal"'],
    [{ compaction: true }, '"compaction" of runTurn has to be an object or false'],
    [{ timeoutMs: 0 }, 'more than 0 milliseconds'],
  ])('is not begun with %j', async (wrong, message) => {
    const session = await open();
    const options = { model: scriptedModel([]), ...wrong } as object;
    await expect(runTurn(session, 'Hi', options)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
    expect(await told(session)).toEqual([]);
  });

  it.each([[[null]], [{ id: 5, parts: 'Hi' }], [{ parts: [5] }]])(
    'is not begun with the message %j',
    async (input) => {
      const session = await open();
      await expect(runTurn(session, input as never, { model: scriptedModel([]) })).rejects.toMatchObject({
        code: expect.stringMatching(/^(usage|entry-invalid)$/),
      });
      expect(await told(session)).toEqual([]);
    },
  );

  it('does not care what a listener does', async () => {
    const session = await open();
    const onEvent = () => {
      throw new Error('a broken screen');
    };
    const { text } = await runTurn(session, 'Hi', { model: scriptedModel([{ text: 'Hello.' }]), onEvent });
    expect(text).toBe('Hello.');
  });

  it('stops when its last listener leaves, and is closed by then', async () => {
    const session = await open();
    const model = scriptedModel([{ text: 'One two three four', accident: 'hang' }]);
    for await (const { type } of streamTurn(session, 'Count', { model })) if (type === 'text-delta') break;
    expect(await told(session)).toEqual(['user: Count', 'assistant!: One two t']);
  });

  it('fails through the stream as well, after the events before it', async () => {
    const session = await open();
    const model = scriptedModel([{ error: apiError(401, 'who?') }]);
    const events: TurnEvent[] = [];
    const read = async () => {
      for await (const event of streamTurn(session, 'Hi', { model })) events.push(event);
    };
    await expect(read()).rejects.toMatchObject({ code: 'model-refused' });
    expect(events.map(({ type }) => type)).toEqual(['input-stored', 'request-start']);
  });

  it('given again under the same id is not run again', async () => {
    const session = await open();
    const model = scriptedModel([{ text: 'Once.' }, { text: 'Later.' }]);
    const input = { id: newEntryId(), parts: 'Only once' };
    const first = await runTurn(session, input, { model });
    const again = await runTurn(session, input, { model });
    expect(again).toEqual({ ...first, entries: again.entries });
    await runTurn(session, 'Another', { model });
    expect((await runTurn(session, input, { model })).text).toBe('Once.');
    expect(model.requests).toHaveLength(2);
    await expect(runTurn(session, { ...input, parts: 'Something else' }, { model })).rejects.toMatchObject({
      code: 'entry-conflict',
    });
  });

  it('that reaches its limit says so, and goes on from there upon request', async () => {
    const session = await open();
    const model = scriptedModel((_, index) =>
      index < 5 ? { calls: [{ id: `c${index}`, name: 'loop' }] } : { text: 'Enough.' },
    );
    const options = { model, tools: { loop }, maxSteps: 3 };
    expect(await runTurn(session, 'Go', options)).toMatchObject({ status: 'step-limit', answers: 3 });
    expect(await continueTurn(session, options)).toMatchObject({
      status: 'complete',
      answers: 6,
      text: 'Enough.',
    });
    expect((await told(session)).filter((line) => line.startsWith('user'))).toHaveLength(1);
  });

  it('survives an answer that says nothing', async () => {
    const session = await open();
    const model = scriptedModel([{}, { text: 'Sorry.' }]);
    expect(await runTurn(session, 'Hi', { model })).toMatchObject({ status: 'interrupted', text: '' });
    expect((await runTurn(session, 'Well?', { model })).text).toBe('Sorry.');
  });

  it('keeps large inputs, arguments and outputs whole, also when it goes on later', async () => {
    const session = await open();
    const large = 'long '.repeat(20_000);
    const got: unknown[] = [];
    const keep = {
      inputSchema: { type: 'object' },
      execute(input: unknown) {
        got.push(input);
        return large;
      },
    };
    const model = scriptedModel([
      { calls: [{ id: 'c', name: 'keep', input: { large } }] },
      { error: apiError(401, 'no') },
      { text: 'Kept.' },
    ]);
    const options = { model, tools: { keep } };
    await expect(runTurn(session, large, options)).rejects.toMatchObject({ code: 'model-refused' });
    expect((await continueTurn(session, options)).text).toBe('Kept.');
    expect(got).toEqual([{ large }]);
    expect(await session.whole((await session.read())[3]!)).toMatchObject({
      body: { parts: [{ output: { value: large } }] },
    });
  });

  it('sends reasoning back to the model that wrote it, and to no other', async () => {
    const session = await open();
    const first = scriptedModel([{ reasoning: 'Deep.', text: 'Yes.' }, { text: 'Still.' }]);
    const other = scriptedModel([{ text: 'Hello.' }], { id: 'compatible:other' });
    await runTurn(session, 'One', { model: first });
    await runTurn(session, 'Two', { model: first });
    await runTurn(session, 'Three', { model: other });
    const thought = {
      type: 'reasoning',
      text: 'Deep.',
      providerOptions: { compatible: { signature: 'signed' } },
    };
    expect(first.requests[1]!.prompt[1]!.content).toContainEqual(expect.objectContaining(thought));
    expect(JSON.stringify(other.requests[0]!.prompt)).not.toContain('Deep.');
  });

  it('says when the beginning of the request is not what it was and why, and keeps that with the call', async () => {
    const session = await open();
    const model = scriptedModel(() => ({ text: 'Fine.', usage: { input: 900, output: 5 } }));
    const changes: unknown[] = [];
    const onEvent = ({ type, ...fields }: TurnEvent) => {
      if (type === 'prefix-change') changes.push(fields);
    };
    const agent = { name: 'Sally', instructions: 'Be brief.' };
    const options = { model, onEvent, compaction: false } as const;
    const tools = { look: { description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 1 } };
    await runTurn(session, 'One', { ...options, agent });
    await runTurn(session, 'Two', { ...options, agent });
    expect(changes).toEqual([]);
    const other = { ...agent, instructions: 'Be long.' };
    await runTurn(session, 'Three', { ...options, agent: other });
    await runTurn(session, 'Four', { ...options, agent: other, tools });
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 2 } } });
    await runTurn(session, 'Five', { ...options, agent: other, tools });
    const [, , older] = await session.read({ only: 'messages', order: 'newest-first', limit: 3 });
    await session.append([{ kind: 'mark', mark: 'excluded', target: { entry: older!.id } }]);
    await runTurn(session, 'Six', { ...options, agent: other, tools });
    await runTurn(session, 'Seven', { ...options, agent: other, tools });
    const breaks = [
      { part: 'head', cause: 'instructions', name: 'agent' },
      { part: 'head', cause: 'tools' },
      { part: 'messages', cause: 'compaction' },
      { part: 'messages', cause: 'marks' },
    ];
    expect(changes).toEqual(breaks.map((change) => ({ ...change, tokens: expect.any(Number) })));
    const kept: unknown[] = [];
    for await (const { cacheBreak } of readCalls(session.store, await session.refresh()))
      if (cacheBreak) kept.push(cacheBreak);
    expect(kept).toEqual(breaks);
  });

  it('learns from what the provider counts', async () => {
    const session = await open();
    const text = 'a few words to be counted by somebody '.repeat(40);
    await session.append([user(text), assistant(text)]);
    const model = scriptedModel(() => ({ text: 'Fine.', usage: { input: 2_000, output: 5 } }));
    const counts: number[] = [];
    const onEvent = (event: TurnEvent) => void (event.type === 'request-start' && counts.push(event.tokens));
    for (let turn = 0; turn < 4; turn++) await runTurn(session, 'Again', { model, onEvent });
    expect(counts[0]!).toBeLessThan(1_200);
    expect(counts.at(-1)! / 2_000).toBeGreaterThan(0.95);
    expect(counts.at(-1)! / 2_000).toBeLessThan(1.2);
  });

  it('takes the model that the session remembers, and the agent before that', async () => {
    const session = await open();
    await session.append([{ kind: 'setting', name: 'model', value: 'offline', by: 'user' }]);
    const { entries } = await runTurn(session, 'Hello');
    expect(entries.at(-1)!.body).toMatchObject({ model: 'offline:quotes' });
    const agent = { name: 'Sally', instructions: 'Be brief.', model: scriptedModel([{ text: 'Mine.' }]) };
    expect((await runTurn(session, 'Hello', { agent })).text).toBe('Mine.');
    expect(agent.model.requests[0]!.prompt[0]).toMatchObject({ role: 'system', content: 'Be brief.' });
  });

  it('is not begun with a model that cannot be opened, but the input is kept', async () => {
    const session = await open();
    const openModel = { env: {} };
    await expect(runTurn(session, 'Hi', { model: 'anthropic', openModel })).rejects.toMatchObject({
      code: 'model-not-configured',
    });
    expect(await told(session)).toEqual(['user: Hi']);
  });
});
