import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import { openSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { reply, stall, unauthorized } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

const X = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e71';
const half = stall(reply('One two three four five'));

async function turnsOf(client: Pick<RpcClient, 'call'>, sessionId: string) {
  const { turns } = await client.call('turn/list', { sessionId });
  return turns.map(({ question, status }) => [question, status]);
}

describe('a turn over RPC', () => {
  it('that was cut by a restart, sent again with its id, is answered before the message that waits', async () => {
    await using model = await startWireServer('openai-chat', [half]);
    const store = createMemoryStore();
    let sessionId: string;
    {
      await using line = await TRANSPORTS.websocket({ store, env: model.env });
      const { chatSessionId } = await line.client.call('ai/session/create', {});
      sessionId = chatSessionId;
      await line.client.call('ai/session/send', { storageSessionId: sessionId, content: 'a', id: X });
      await model.received(1);
      await line.client.call('ai/session/send', { storageSessionId: sessionId, content: 'b' });
    }
    model.add(reply('one'), reply('two'));
    await using line = await TRANSPORTS.websocket({ store, env: model.env });
    const { client } = line;
    const again = await client.call('ai/session/send', {
      storageSessionId: sessionId,
      content: 'a',
      id: X,
      wait: true,
    });
    expect(again).toMatchObject({ text: 'one', turn: { id: X, status: 'complete' } });
    await until(async () => (await turnsOf(client, sessionId)).every(([, status]) => status === 'complete'));
    expect(await turnsOf(client, sessionId)).toEqual([
      ['b', 'complete'],
      ['a', 'complete'],
    ]);
    expect((await client.call('chat/session/get', { sessionId })).waiting).toEqual([]);
  });

  it('that failed, asked again by three at once, is asked once', async () => {
    await using model = await startWireServer('openai-chat', [unauthorized()]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { chatSessionId: sessionId } = await client.call('ai/session/create', {});
    await client.call('ai/session/send', { storageSessionId: sessionId, content: 'a', wait: true });
    model.add(reply('yes'), reply('no'), reply('no'));
    const retries = await Promise.allSettled(
      [1, 2, 3].map(() => client.call('turn/retry', { sessionId, wait: true })),
    );
    const done = retries.filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    for (const one of retries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'usage' });
    expect(model.requests).toHaveLength(2);
    expect(await turnsOf(client, sessionId)).toEqual([['a', 'complete']]);
  });

  it('after another writer took the session over is taken at the next send', async () => {
    await using model = await startWireServer('openai-chat', [half]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client, store } = line;
    const { chatSessionId: sessionId } = await client.call('ai/session/create', {});
    await client.call('ai/session/send', { storageSessionId: sessionId, content: 'a' });
    await model.received(1);
    {
      await using other = await openSession(store, sessionId, { owner: 'another', takeOver: true });
      await other.append([user('mine'), assistant('yours')]);
    }
    await client.call('ai/session/cancel', { chatSessionId: sessionId }).catch(() => {});
    model.add(reply('here again'), reply('here again'), reply('here again'));
    const send = () =>
      client.call('ai/session/send', { storageSessionId: sessionId, content: 'b', wait: true });
    // The first one may still meet the handle that was overtaken; no later one does.
    const first = await send().catch(() => undefined);
    const { turn } = first?.turn?.status === 'complete' ? first : await send();
    expect(turn).toMatchObject({ status: 'complete' });
  });

  it('that another server runs is neither stopped nor handed anything here, and that is said', async () => {
    await using model = await startWireServer('openai-chat', [half]);
    const store = createMemoryStore();
    await using one = await TRANSPORTS.websocket({ store, env: model.env });
    await using other = await TRANSPORTS.websocket({ store, env: model.env });
    const { chatSessionId: sessionId } = await one.client.call('ai/session/create', {});
    await one.client.call('ai/session/send', { storageSessionId: sessionId, content: 'a' });
    await model.received(1);
    const steer = other.client.call('turn/steer', { sessionId, content: 'b' });
    await expect(steer).rejects.toMatchObject({ code: 'lease-held' });
    const cancel = other.client.call('ai/session/cancel', { chatSessionId: sessionId });
    await expect(cancel).rejects.toMatchObject({ code: 'lease-held' });
    expect(await turnsOf(one.client, sessionId)).toEqual([['a', 'running']]);
  });

  it('does not lose its answer to a user message that a host adds while it runs', async () => {
    await using model = await startWireServer('openai-chat', [half]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { chatSessionId: sessionId } = await client.call('ai/session/create', {});
    await client.call('ai/session/send', { storageSessionId: sessionId, content: 'a' });
    await model.received(1);
    const add = client.call('chat/message/add', { sessionId, role: 'user', content: 'b' });
    await expect(add).rejects.toMatchObject({ code: 'usage' });
    expect(await turnsOf(client, sessionId)).toEqual([['a', 'running']]);
  });

  it('is listed page by page behind those that wait', async () => {
    await using model = await startWireServer('openai-chat', [reply('one'), reply('two'), half]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { chatSessionId: sessionId } = await client.call('ai/session/create', {});
    const send = (content: string, wait: boolean) =>
      client.call('ai/session/send', { storageSessionId: sessionId, content, wait });
    await send('first', true);
    await send('second', true);
    await send('third', false);
    await model.received(3);
    await send('fourth', false);
    const page = await client.call('turn/list', { sessionId, limit: 1 });
    expect(page.turns.map(({ question }) => question)).toEqual(['fourth', 'third']);
    const next = await client.call('turn/list', { sessionId, limit: 5, before: page.before! });
    expect(next).toMatchObject({ turns: [{ question: 'second' }, { question: 'first' }], before: null });
  });
});

it('a server on standard input that is stopped answers what waits for a turn, and ends', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-test-'));
  await using model = await startWireServer('openai-chat', [half]);
  const main = path.resolve('dist/faces/cli/main.js');
  const child = spawn(
    process.execPath,
    [main, 'serve', '--stdio', '--store', path.join(folder.path, 's.db')],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH ?? '', HOME: folder.path, ...model.env },
    },
  );
  const exited = once(child, 'exit');
  const answers = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  const call = (id: number, method: string, params: object) => {
    const answer = Promise.withResolvers<Record<string, unknown>>();
    answers.set(id, answer);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer.promise;
  };
  createInterface({ input: child.stdout }).on('line', (text) => {
    const { id, result } = JSON.parse(text) as { id?: number; result: Record<string, unknown> };
    if (id !== undefined) answers.get(id)?.resolve(result);
  });
  const { chatSessionId } = await call(1, 'ai/session/create', {});
  const send = { storageSessionId: chatSessionId, wait: true, stream: false };
  const running = call(2, 'ai/session/send', { ...send, content: 'a' });
  await model.received(1);
  const waiting = call(3, 'ai/session/send', { ...send, content: 'b' });
  await until(async () => {
    const { waiting: queue } = await call(4, 'chat/session/get', { sessionId: chatSessionId });
    return (queue as unknown[]).length > 0 || undefined;
  });
  child.kill('SIGTERM');
  expect(await running).toMatchObject({ turn: { status: 'interrupted', cutBy: 'shutdown' } });
  expect(await waiting).toMatchObject({ turn: { status: 'waiting' } });
  expect(await exited).toEqual([0, null]);
});
