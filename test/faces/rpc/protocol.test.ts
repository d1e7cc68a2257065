import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/faces/rpc/index.ts';
import { talk } from './conversations.ts';
import { EACH } from './transports.ts';

const request = (fields: object) => JSON.stringify({ jsonrpc: '2.0', ...fields });

describe.each(EACH)('JSON-RPC over %s', (name, open) => {
  it('answers requests, and keeps their ids', async () => {
    await using line = await open();
    for (const id of [1, 'one', 1.5, null]) {
      const answer = JSON.parse(await line.raw(request({ id, method: 'server/info' })));
      expect(answer).toMatchObject({ jsonrpc: '2.0', id, result: { name: 'throughline' } });
    }
  });

  it('gives back every character as it was said', async () => {
    await using line = await open();
    const { session } = await line.client.call('chat/session/create', {});
    for (const content of [
      'plain',
      'caf\u00e9',
      '\u00ff',
      '\u20ac 5',
      '\u{1f600}',
      '\u0000',
      '\ud800',
      '"\\\n',
    ]) {
      const add = request({
        id: 1,
        method: 'chat/message/add',
        params: { sessionId: session.id, role: 'user', content },
      });
      expect(JSON.parse(await line.raw(add)).result.message.content).toBe(content);
    }
  });

  it('carries out notifications, and does not answer them', async () => {
    await using line = await open();
    const { session } = await line.client.call('chat/session/create', {});
    const params = { sessionId: session.id, role: 'user', content: 'Said in passing.' };
    expect(await line.raw(request({ method: 'chat/message/add', params }))).toBe('');
    expect((await line.client.call('chat/message/list', { sessionId: session.id })).messages).toHaveLength(1);
  });

  it('answers batches in order, without notifications', async () => {
    await using line = await open();
    const { session } = await line.client.call('chat/session/create', {});
    const add = (id: number | undefined, content: string) => ({
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
      method: 'chat/message/add',
      params: { sessionId: session.id, role: 'user', content },
    });
    const batch = [
      add(1, 'one'),
      add(undefined, 'two'),
      add(3, 'three'),
      { jsonrpc: '2.0', id: 4, method: 'no' },
      5,
    ];
    const answers = JSON.parse(await line.raw(JSON.stringify(batch)));
    expect(answers.map(({ id }: { id: unknown }) => id)).toEqual([1, 3, 4, null]);
    expect(answers[2].error.code).toBe(-32601);
    expect(answers[3].error.code).toBe(-32600);
    const { messages } = await line.client.call('chat/message/list', { sessionId: session.id });
    expect(messages.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  });

  it.each([
    ['text that is no JSON', '{"jsonrpc": "2.0", "method"', -32700, null],
    ['an empty batch', '[]', -32600, null],
    ['a batch that is too long', JSON.stringify(Array(101).fill(0)), -32600, null],
    ['something that is no request', '17', -32600, null],
    ['a request of another version', '{"jsonrpc":"1.0","id":1,"method":"server/info"}', -32600, 1],
    ['a method that is no text', request({ id: 1, method: 7 }), -32600, 1],
    ['an id that is no id', request({ id: {}, method: 'server/info' }), -32600, null],
    ['a method that nobody knows', request({ id: 1, method: 'chat/session/explode' }), -32601, 1],
    ['a method that every object has', request({ id: 1, method: 'constructor' }), -32601, 1],
    ['the prototype of all things', request({ id: 1, method: '__proto__' }), -32601, 1],
    ['parameters by position', request({ id: 1, method: 'chat/session/get', params: ['x'] }), -32602, 1],
    ['a parameter that is missing', request({ id: 1, method: 'chat/session/get' }), -32602, 1],
    ['a parameter that nobody knows', request({ id: 1, method: 'server/info', params: { a: 1 } }), -32602, 1],
    ['something nested without end', `${'['.repeat(5000)}${']'.repeat(5000)}`, -32600, null],
  ])('refuses %s', async (_, text, code, id) => {
    await using line = await open();
    expect(JSON.parse(await line.raw(text))).toMatchObject({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String), data: { code: 'usage' } },
    });
    expect((await line.client.call('server/info')).name).toBe('throughline');
  });

  it('tells failures by the same words as everywhere', async () => {
    await using line = await open();
    const answer = JSON.parse(
      await line.raw(request({ id: 1, method: 'chat/session/get', params: { sessionId: 'nobody' } })),
    );
    expect(answer.error).toMatchObject({ code: -32000, data: { code: 'session-not-found' } });
  });

  it('refuses messages over its limit', async () => {
    await using line = await open({ maxBodyBytes: 10_000 });
    const { id: sessionId } = await talk(line.client, 1);
    const text = request({
      id: 1,
      method: 'chat/message/add',
      params: { sessionId, role: 'user', content: 'x'.repeat(20_000) },
    });
    if (name === 'websocket') await expect(line.raw(text)).rejects.toBeDefined();
    else expect(JSON.parse(await line.raw(text)).error.data.code).toBe('request-too-large');
    expect((await line.client.call('chat/message/list', { sessionId })).messages).toHaveLength(1);
  });

  it('describes itself', async () => {
    await using line = await open();
    const document = (await line.client.call('rpc.discover')) as unknown as { methods: { name: string }[] };
    expect(document.methods.map((method) => method.name)).toEqual(Object.keys(METHODS));
  });
});
