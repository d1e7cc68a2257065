import { describe, expect, it } from 'vitest';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { reply, stall } from '../../support/wire-script.ts';
import { startWireServer, type WireServer } from '../../support/wire-server.ts';
import { TRANSPORTS } from './transports.ts';

const HALF = stall(reply('One two three four five'));

/** A turn that stays in mid-answer, and a message behind it. */
async function leaveWaiting({ client, model }: { client: Pick<RpcClient, 'call'>; model: WireServer }) {
  const { aiSessionId, chatSessionId: sessionId } = await client.call('ai/session/create', {});
  const send = (content: string) => client.call('ai/session/send', { sessionId: aiSessionId, content });
  await send('first');
  await model.received(1);
  const { messageId: turnId, waiting } = await send('second');
  expect(waiting).toBe(true);
  return { sessionId, turnId };
}

describe('a message that waits', () => {
  it('has the reason why it is not begun once its process has ended, and no caller waits in vain', async () => {
    await using model = await startWireServer('openai-chat', [HALF]);
    const store = createMemoryStore();
    let named: { sessionId: string; turnId: string };
    {
      await using line = await TRANSPORTS.websocket({ store, env: model.env });
      named = await leaveWaiting({ client: line.client, model });
      expect((await line.client.call('turn/get', named)).turn).toMatchObject({ error: null });
    }
    await using line = await TRANSPORTS.websocket({ store, env: model.env });
    const { client } = line;
    const left = { status: 'waiting', error: { code: 'turn-not-running', message: expect.any(String) } };
    expect((await client.call('turn/get', named)).turn).toMatchObject(left);
    // From here on this server holds the session, and runs nothing in it.
    await client.call('ai/session/resume', { chatSessionId: named.sessionId });
    expect((await client.call('turn/get', { ...named, wait: true })).turn).toMatchObject(left);
    model.add(reply('To the first.'), reply('To the second.'));
    await client.call('ai/session/continue', { storageSessionId: named.sessionId });
    const { turn, text } = await client.call('turn/get', { ...named, wait: true });
    expect([turn, text]).toMatchObject([{ status: 'complete', error: null }, 'To the second.']);
  });

  it('says that its session is in the trash', async () => {
    await using model = await startWireServer('openai-chat', [HALF]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const named = await leaveWaiting({ client, model });
    await client.call('chat/session/delete', { sessionId: named.sessionId });
    const { turn } = await client.call('turn/get', { ...named, wait: true });
    expect(turn).toMatchObject({ status: 'waiting', error: { code: 'session-trashed' } });
    expect(turn.error!.message).toContain(named.turnId);
  });

  it.each(['user', 'assistant', 'system'] as const)(
    'or was handed in is not replaced by another message of %s under its id',
    async (role) => {
      await using model = await startWireServer('openai-chat', [HALF]);
      await using line = await TRANSPORTS.websocket({ env: model.env });
      const { client } = line;
      const { sessionId, turnId } = await leaveWaiting({ client, model });
      const steered = await client.call('turn/steer', { sessionId, content: 'In German.' });
      for (const id of [turnId, steered.messageId]) {
        const add = client.call('chat/message/add', { sessionId, role, content: 'Something else.', id });
        await expect(add).rejects.toMatchObject({ code: 'entry-conflict' });
      }
      const { waiting, steering } = await client.call('chat/session/get', { sessionId });
      expect([waiting, steering]).toMatchObject([[{ id: turnId }], [{ id: steered.messageId }]]);
    },
  );

  it('waits no longer once a host has stored the same message as a question', async () => {
    await using model = await startWireServer('openai-chat', [HALF]);
    const store = createMemoryStore();
    let named: { sessionId: string; turnId: string };
    {
      await using line = await TRANSPORTS.websocket({ store, env: model.env });
      named = await leaveWaiting({ client: line.client, model });
    }
    await using line = await TRANSPORTS.websocket({ store, env: model.env });
    const { client } = line;
    const { sessionId, turnId: id } = named;
    await client.call('chat/message/add', { sessionId, role: 'user', content: 'second', id });
    expect((await client.call('chat/session/get', { sessionId })).waiting).toEqual([]);
    expect((await client.call('turn/get', named)).turn).toMatchObject({ status: 'interrupted' });
  });
});
