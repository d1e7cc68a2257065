import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, createSocketClient } from '../../../src/faces/rpc/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { hang, reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { startServe } from './served.ts';

let folder: string;
let store: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'throughline-serve-'));
  store = path.join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a stopped server', () => {
  it('stops a turn, and keeps the answer so far', async () => {
    await using model = await startWireServer('openai-chat', [
      { ...reply('a b c d e f g h'), delivery: 'stall' },
    ]);
    await using served = await startServe(store, [], model.env);
    const client = createHttpClient({ url: served.url, token: served.token! });
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Go.' });
    await model.received(1);
    await using opened = await openStore(store);
    await until(async () => (await opened.read(chatSessionId)).some(({ body }) => body.kind === 'run'));
    expect(await served.end('SIGTERM')).toBe(0);
    const [last] = await opened.read(chatSessionId, { only: 'messages', order: 'newest-first', limit: 1 });
    expect(last!.body).toMatchObject({ role: 'assistant', status: 'interrupted' });
  });

  it.each([
    ['HTTP', createHttpClient],
    ['a WebSocket', (to: { url: string; token: string }) => createSocketClient({ ...to, reconnect: false })],
  ])('answers calls over %s that wait for a turn', async (_, connect) => {
    await using model = await startWireServer('openai-chat', [hang()]);
    await using served = await startServe(store, [], model.env);
    const client = connect({ url: served.url, token: served.token! });
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const send = (content: string) => client.call('ai/session/send', { sessionId: aiSessionId, content });
    const sent = [await send('First.'), await send('Second.')];
    await model.received(1);
    const turns = sent.map(({ messageId }) =>
      client.call('turn/get', { sessionId: chatSessionId, turnId: messageId, wait: true }),
    );
    const settled = Promise.allSettled(turns);
    await client.call('server/info');
    expect(await served.end('SIGTERM')).toBe(0);
    expect(await settled).toMatchObject([
      { value: { turn: { status: 'interrupted', cutBy: 'shutdown' } } },
      { value: { turn: { status: 'waiting' } } },
    ]);
  });
});
