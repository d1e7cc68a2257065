import { describe, expect, it } from 'vitest';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { cut, hang, reply, stall, unauthorized } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

async function begin(client: Pick<RpcClient, 'call'>) {
  const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
  const send = (content: string, more = {}) =>
    client.call('ai/session/send', { sessionId: aiSessionId, content, ...more });
  const turns = async () => (await client.call('turn/list', { sessionId: chatSessionId })).turns;
  const goOn = () => client.call('ai/session/continue', { sessionId: aiSessionId });
  return { aiSessionId, chatSessionId, send, turns, goOn };
}

describe('a turn over RPC', () => {
  it.each(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[])(
    'is waited for with `wait`, over %s',
    async (name) => {
      await using model = await startWireServer('openai-chat', [reply('Forty-two.'), unauthorized()]);
      await using line = await TRANSPORTS[name]({ env: model.env });
      const { send, turns } = await begin(line.client);
      const whole = await send('How many?', { wait: true });
      expect(whole).toMatchObject({ stored: true, text: 'Forty-two.', turn: { status: 'complete' } });
      // It is stored, so that it failed is no error of the call.
      const failed = await send('And now?', { wait: true });
      expect(failed).toMatchObject({ stored: true, text: null, turn: { status: 'failed' } });
      expect(failed.turn!.error).toMatchObject({ code: 'model-refused' });
      expect((await turns()).map(({ status }) => status)).toEqual(['failed', 'complete']);
    },
  );

  it('that waits for a turn leaves room for other calls', async () => {
    await using model = await startWireServer('openai-chat', () => hang());
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { send, chatSessionId } = await begin(client);
    // More than the server carries out at once.
    for (let n = 0; n < 300; n++) send(`question ${n}`, { wait: true }).catch(() => {});
    await model.received(1);
    const { session } = await client.call('chat/session/get', { sessionId: chatSessionId });
    expect(session.id).toBe(chatSessionId);
  });

  it.each([
    { what: 'refused by the provider', steps: [unauthorized()], status: 'failed' },
    { what: 'cut by the provider', steps: [cut(reply('One two three four five'))], status: 'failed' },
  ])('$what keeps the reason, and is asked again after a restart', async ({ steps, status }) => {
    await using model = await startWireServer('openai-chat', steps);
    const store = createMemoryStore();
    let turnId: string;
    let sessionId: string;
    {
      await using line = await TRANSPORTS.http({ store, env: model.env });
      const { send, chatSessionId } = await begin(line.client);
      turnId = (await send('Count.', { wait: true })).messageId;
      sessionId = chatSessionId;
    }
    await using line = await TRANSPORTS.http({ store, env: model.env });
    const { client } = line;
    const { turn } = await client.call('turn/get', { sessionId, turnId });
    expect(turn).toMatchObject({ status, error: { code: expect.any(String), message: expect.any(String) } });
    expect((await client.call('chat/session/get', { sessionId })).turn).toEqual(turn);
    const resumed = await client.call('ai/session/resume', { chatSessionId: sessionId });
    expect(resumed).toMatchObject({ unfinished: true, waiting: 0 });
    model.add(reply('One two three four five six'));
    const again = await client.call('turn/retry', { sessionId, wait: true });
    expect(again).toMatchObject({ turnId, text: 'One two three four five six' });
    expect(again.turn).toMatchObject({ status: 'complete', attempts: 2, error: null });
    expect(await client.call('ai/session/resume', { chatSessionId: sessionId })).toMatchObject({
      unfinished: false,
    });
  });

  it('that a person stopped can be asked again, by continue and by retry', async () => {
    const half = stall(reply('One two three four five'));
    await using model = await startWireServer('openai-chat', [half, half, reply('Done.')]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { send, turns, goOn, chatSessionId } = await begin(client);
    const stop = async () => {
      await until(async () => (await client.call('ai/session/cancel', { chatSessionId })).cancelled > 0);
      await until(async () => (await turns())[0]!.status === 'interrupted');
    };
    await send('Count.');
    await model.received(1);
    await stop();
    expect(await turns()).toMatchObject([{ status: 'interrupted', cutBy: 'person' }]);
    expect(await goOn()).toMatchObject({ started: true });
    await model.received(2);
    await stop();
    expect(await client.call('turn/retry', { sessionId: chatSessionId, wait: true })).toMatchObject({
      text: 'Done.',
      turn: { status: 'complete', attempts: 3 },
    });
    await expect(client.call('turn/retry', { sessionId: chatSessionId })).rejects.toMatchObject({
      code: 'usage',
    });
    expect(await goOn()).toMatchObject({ started: false });
  });

  it.each(['ai/session/continue', 'turn/retry'] as const)(
    'that was cut by the end of the server is answered before those that wait behind it, by %s',
    async (method) => {
      await using model = await startWireServer('openai-chat', [stall(reply('One two three four'))]);
      const store = createMemoryStore();
      let sessionId: string;
      {
        await using line = await TRANSPORTS.websocket({ store, env: model.env });
        const { send, chatSessionId } = await begin(line.client);
        sessionId = chatSessionId;
        await send('first');
        await model.received(1);
        for (const text of ['second', 'third']) expect(await send(text)).toMatchObject({ waiting: true });
      }
      await using line = await TRANSPORTS.websocket({ store, env: model.env });
      const { client } = line;
      const turns = async () =>
        (await client.call('turn/list', { sessionId })).turns.map(({ question, status }) => [
          question,
          status,
        ]);
      expect(await turns()).toEqual([
        ['third', 'waiting'],
        ['second', 'waiting'],
        ['first', 'interrupted'],
      ]);
      model.add(reply('one'), reply('two'), reply('three'));
      const resumed = await client.call('ai/session/resume', { chatSessionId: sessionId });
      expect(resumed).toMatchObject({ unfinished: true, waiting: 2 });
      if (method === 'turn/retry') await client.call(method, { sessionId });
      else await client.call(method, { sessionId: resumed.aiSessionId });
      await until(async () => (await turns()).every(([, status]) => status === 'complete'));
      const { messages } = await client.call('chat/message/list', { sessionId });
      const said = messages.filter(({ status }) => status === 'complete').map(({ content }) => content);
      expect(said).toEqual(['first', 'one', 'second', 'two', 'third', 'three']);
    },
  );

  it('is steered: the message is stored, and the model has it at its next step', async () => {
    const gate = stall(reply('One two three four'));
    await using model = await startWireServer('openai-chat', [gate]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { send, chatSessionId, turns } = await begin(client);
    await expect(
      client.call('turn/steer', { sessionId: chatSessionId, content: 'Hello?' }),
    ).rejects.toMatchObject({ code: 'turn-not-running' });
    const { messageId } = await send('Count.');
    await model.received(1);
    const id = '019B6F1C-3F68-7000-9A41-5C0F2B7D8E51';
    const steered = await client.call('turn/steer', { sessionId: chatSessionId, content: 'In German.', id });
    expect(steered).toEqual({ stored: true, messageId: id.toLowerCase(), turnId: messageId });
    const steering = async () =>
      (await client.call('chat/session/get', { sessionId: chatSessionId })).steering;
    const handedIn = [{ id: id.toLowerCase(), content: 'In German.', createdAt: expect.any(Number) }];
    expect(await steering()).toEqual(handedIn);
    expect((await turns())[0]).toMatchObject({ id: messageId, status: 'running' });
    await client.call('ai/session/cancel', { chatSessionId });
    await until(async () => (await turns())[0]!.status === 'interrupted');
    expect(await steering()).toEqual(handedIn);
    model.add(reply('Eins zwei drei.'));
    await client.call('turn/retry', { sessionId: chatSessionId, wait: true });
    const { messages } = (await model.received(2)).body as { messages: { content: unknown }[] };
    expect(JSON.stringify(messages.at(-1))).toContain('In German.');
    expect(await steering()).toEqual([]);
    expect(await turns()).toHaveLength(1);
  });

  it('is found by its exact id only, and in its own session', async () => {
    await using model = await startWireServer('openai-chat', [reply('Yes.'), reply('Yes.')]);
    await using line = await TRANSPORTS.http({ env: model.env });
    const { client } = line;
    const one = await begin(client);
    const other = await begin(client);
    const { messageId: turnId } = await one.send('Hello?', { wait: true });
    const wrong = client.call('turn/get', { sessionId: other.chatSessionId, turnId });
    await expect(wrong).rejects.toMatchObject({ code: 'turn-not-found' });
  });
});
