import { describe, expect, it } from 'vitest';
import {
  continueTurn,
  listTurns,
  retryTurn,
  runTurn,
  type TurnEvent,
  type TurnInput,
  type TurnOptions,
} from '../../src/agent/index.ts';
import { openModel } from '../../src/models/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import {
  badRequest,
  callTool,
  cut,
  endEarly,
  fail,
  hang,
  malformed,
  overflow,
  overloaded,
  rateLimited,
  reply,
  type Step,
  serverError,
  stall,
  unauthorized,
} from '../support/wire-script.ts';
import { PROTOCOLS, type Protocol, startWireServer } from '../support/wire-server.ts';
import { told } from './told.ts';

const FAST = { retry: { firstMs: 1 } } satisfies TurnOptions;

/** A session and a provider on the loopback that follows a script. */
async function talkingTo(protocol: Protocol, steps: readonly Step[]) {
  const server = await startWireServer(protocol, steps);
  const session: Session = await createSession(createMemoryStore(), { id: 's' });
  const model = await openModel(server.reference, { env: server.env });
  const events: TurnEvent[] = [];
  const say = (input: TurnInput, options: TurnOptions = {}) =>
    runTurn(session, input, { model, ...FAST, onEvent: (event) => events.push(event), ...options });
  const count = (type: TurnEvent['type']) => events.filter((event) => event.type === type).length;
  return { server, session, model, say, count, events };
}

describe.each(PROTOCOLS)('with %s', (protocol) => {
  it.each([
    [
      'is longer than it may be',
      reply('Once upon a', { finish: 'length' }),
      'Once upon a',
      /limit of its length/,
    ],
    ['is ended by a filter', reply('Once upon a', { finish: 'content-filter' }), 'Once upon a', /filter/],
    ['is empty', reply(''), '', /was empty/],
  ])('an answer that %s is not whole, says why, and is asked for again', async (_, step, text, says) => {
    const { server, session, say } = await talkingTo(protocol, [step, reply('Once upon a time.')]);
    const error = { code: 'answer-cut', message: expect.stringMatching(says) };
    expect(await say('A story')).toMatchObject({ status: 'interrupted', cutBy: 'provider', text, error });
    const [cutShort] = await listTurns(session.store, await session.refresh());
    expect(cutShort).toMatchObject({ status: 'interrupted', cutBy: 'provider', answers: 0, error });
    const model = await openModel(server.reference, { env: server.env });
    expect(await retryTurn(session, { model })).toMatchObject({
      status: 'complete',
      text: 'Once upon a time.',
    });
    const [whole] = await listTurns(session.store, await session.refresh());
    expect(whole).toMatchObject({ status: 'complete', attempts: 2, error: null });
  });

  it('an answer without words behind a tool is whole, and so is one with a call at the limit of its length', async () => {
    const look = { inputSchema: { type: 'object' }, execute: () => 'seen' };
    const call = { ...callTool('look', {}), finish: 'length' } as Step;
    const { say } = await talkingTo(protocol, [call, reply('')]);
    expect(await say('Look', { tools: { look } })).toMatchObject({ status: 'complete', text: '' });
  });

  it('a turn with a tool ends in one log, with the usage of each call and no other', async () => {
    const { server, session, say } = await talkingTo(protocol, [
      callTool('add', { a: 20, b: 22 }, { text: 'Adding.', usage: { input: 100, output: 20 } }),
      reply('It is 42.', { usage: { input: 150, output: 8, cacheRead: 90 } }),
    ]);
    const add = {
      description: 'Adds two numbers',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      execute: (input: unknown) => (input as { a: number; b: number }).a + (input as { b: number }).b,
    };
    const result = await say('20 + 22?', { tools: { add } });
    expect(await told(session)).toEqual([
      'user: 20 + 22?',
      'assistant: Adding. add({"a":20,"b":22})',
      '(started)',
      'tool: = 42',
      'assistant: It is 42.',
    ]);
    expect(result.usage).toMatchObject({ inputTokens: 250, outputTokens: 28 });
    expect(session.info.usage).toMatchObject({ inputTokens: 250, outputTokens: 28 });
    expect(JSON.stringify(server.requests[1]!.body)).toContain('42');
    await server[Symbol.asyncDispose]();
  });

  it('a wrong key is a clear error, the message is kept, and it can be sent again', async () => {
    const { server, session, model, say } = await talkingTo(protocol, [
      unauthorized(),
      reply('Now it works.'),
    ]);
    await expect(say('Hello')).rejects.toMatchObject({
      code: 'model-refused',
      message: expect.stringMatching(/did not accept the key in \w+_API_KEY/),
    });
    expect(server.requests).toHaveLength(1);
    expect(await told(session)).toEqual(['user: Hello']);
    expect((await continueTurn(session, { model })).text).toBe('Now it works.');
    expect(await told(session)).toEqual(['user: Hello', 'assistant: Now it works.']);
    await server[Symbol.asyncDispose]();
  });

  it.each([
    { name: 'too many requests', step: rateLimited({ retryAfterSeconds: 0 }) },
    { name: 'an overloaded server', step: overloaded() },
    { name: 'a server error', step: serverError() },
    { name: 'what is not JSON', step: malformed() },
  ])('$name is waited out, and the answer comes', async ({ step }) => {
    const { server, session, say, count } = await talkingTo(protocol, [step, step, reply('Here.')]);
    expect((await say('Hello')).text).toBe('Here.');
    expect(count('retry-start')).toBe(2);
    expect(await told(session)).toEqual(['user: Hello', 'assistant: Here.']);
    await server[Symbol.asyncDispose]();
  });

  it.each([
    { name: 'too many requests', step: rateLimited({ retryAfterSeconds: 0 }), code: 'model-busy' },
    { name: 'a server error', step: serverError(), code: 'model-failed' },
  ])('$name for good is asked four times and then reported', async ({ step, code }) => {
    const { server, session, say } = await talkingTo(protocol, [step, step, step, step, step]);
    await expect(say('Hello')).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(4);
    expect(await told(session)).toEqual(['user: Hello']);
    await server[Symbol.asyncDispose]();
  });

  it.each([
    { name: 'too many requests', step: rateLimited({ retryAfterSeconds: 3_600 }), code: 'model-busy' },
    { name: 'an overloaded server', step: overloaded({ retryAfterSeconds: 3_600 }), code: 'model-busy' },
    { name: 'a server error', step: serverError({ retryAfterSeconds: 3_600 }), code: 'model-failed' },
  ])(
    '$name with a wait that is too long is not waited for, and the wait is named',
    async ({ step, code }) => {
      const { server, say } = await talkingTo(protocol, [step]);
      await expect(say('Hello')).rejects.toMatchObject({
        code,
        details: { retryAfterSeconds: 3_600 },
        message: expect.stringMatching(/: \S.*\. Wait 3600 seconds and try again\.$/),
      });
      expect(server.requests).toHaveLength(1);
      await server[Symbol.asyncDispose]();
    },
  );

  it.each([
    { name: 'is cut off', accident: cut },
    { name: 'ends early', accident: endEarly },
    { name: 'breaks with an error', accident: fail },
  ])(
    'an answer that $name is kept as interrupted, the error is reported, and the chat goes on',
    async ({ accident }) => {
      const { server, session, say } = await talkingTo(protocol, [
        accident(reply('One two three four five six.')),
        reply('Yes.'),
      ]);
      await expect(say('Count')).rejects.toMatchObject({
        code: expect.stringMatching(/^model-(?:failed|busy)$/),
      });
      expect(await told(session)).toEqual([
        'user: Count',
        expect.stringMatching(/^assistant!: One two(?!.*six)/),
      ]);
      expect((await say('Still there?')).text).toBe('Yes.');
      expect(JSON.stringify(server.requests[1]!.body)).toContain('One two');
      await server[Symbol.asyncDispose]();
    },
  );

  it.each([
    { name: 'nothing at all', step: hang(), left: [] },
    {
      name: 'half an answer and then nothing',
      step: stall(reply('One two three four.')),
      left: [expect.stringMatching(/^assistant!: One/)],
    },
  ])('$name runs into the time-out', async ({ step, left }) => {
    const { server, session, say } = await talkingTo(protocol, [step]);
    await expect(say('Hello', { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'model-timeout',
      message: expect.stringContaining('sent nothing for 0.15 seconds, the timeout that is set.'),
      details: { timeoutMs: 150 },
    });
    expect(await told(session)).toEqual(['user: Hello', ...left]);
    await server.requests[0]!.closed;
    await server[Symbol.asyncDispose]();
  });

  it('an overflow is made to fit, once', async () => {
    const { server, session, say, count } = await talkingTo(protocol, [
      ...Array.from({ length: 6 }, (_, n) => reply(`Answer ${n} ${'with many words '.repeat(60)}`)),
      overflow({ tokens: 9_000, limit: 8_000 }),
      reply('It fits.'),
    ]);
    const quiet = { compaction: { summariser: 'digest' } } satisfies TurnOptions;
    for (let n = 0; n < 6; n++) await say(`Question ${n} ${'and its words '.repeat(60)}`, quiet);
    expect((await say('And now?', quiet)).text).toBe('It fits.');
    expect(count('compaction-start')).toBe(1);
    expect((await told(session)).filter((line) => line === '(compaction)').length).toBeGreaterThan(0);
    const [before, after] = server.requests.slice(-2).map(({ body }) => JSON.stringify(body).length);
    expect(after!).toBeLessThan(before! * 0.7);
    expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('And now?');
    await server[Symbol.asyncDispose]();
  });

  it('an overflow for good is reported after one more try, and nothing is lost', async () => {
    const { server, session, say } = await talkingTo(protocol, [overflow(), overflow(), overflow()]);
    await expect(say('Hello')).rejects.toMatchObject({ code: 'context-overflow' });
    expect(server.requests).toHaveLength(2);
    expect((await told(session)).filter((line) => line !== '(windows)')).toEqual(['user: Hello']);
    await server[Symbol.asyncDispose]();
  });

  it('an image that is refused becomes a line of text, once, and for all turns after it', async () => {
    const { server, session, say, count } = await talkingTo(protocol, [
      badRequest('messages.0.content.1.image: the image could not be processed'),
      reply('I cannot see it.'),
      reply('Still not.'),
    ]);
    const data = Buffer.from('not a picture').toString('base64');
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data },
    ];
    expect((await say(parts)).text).toBe('I cannot see it.');
    await say('And now?');
    expect(JSON.stringify(server.requests[0]!.body)).toContain(data);
    for (const { body } of server.requests.slice(1)) {
      expect(JSON.stringify(body)).not.toContain(data);
      expect(JSON.stringify(body)).toContain('this image was refused by the provider');
    }
    expect(count('request-mend')).toBe(1);
    expect((await session.read())[0]!.body).toMatchObject({ parts });
    await server[Symbol.asyncDispose]();
  });

  it('a request that is refused for no part of it is reported, and not sent again', async () => {
    const { server, say } = await talkingTo(protocol, [badRequest('temperature is out of range')]);
    await expect(say('Hello')).rejects.toMatchObject({ code: 'model-refused' });
    expect(server.requests).toHaveLength(1);
    await server[Symbol.asyncDispose]();
  });
});
