import { describe, expect, it } from 'vitest';
import { replyObject } from '../../../support/wire-script.ts';
import { startWireServer } from '../../../support/wire-server.ts';
import { sentence, talk } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

// What the client guide says about `ai/context/compact`, sentence by sentence.
describe.each(DRIVERS)('compacting over %s', (_, open) => {
  it('gives every field, and each is true', async () => {
    await using port = await open();
    const { client } = port;
    const { id: chatSessionId, messages } = await talk(client, 52, { words: 5 });
    const all = await client.call('chat/message/list', { sessionId: chatSessionId });
    const result = await client.call('ai/context/compact', { chatSessionId, keepRecentCount: 10 });
    expect(result).toEqual({
      compactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      context: { before: expect.any(Number), after: expect.any(Number) },
      summary: expect.stringMatching(/^## Conversation Summary\n/),
      messagesCompacted: 42,
      kept: { messages: 10, tokens: expect.any(Number) },
      originalTokenCount: all.messages.slice(0, 42).reduce((sum, { tokens }) => sum + tokens, 0),
      compressedTokenCount: expect.any(Number),
      retention: expect.any(Number),
      by: expect.objectContaining({ kind: 'digest' }),
      failures: [],
      merges: 0,
    });
    expect(result.compressedTokenCount).toBeLessThan(result.originalTokenCount);
    const { compaction } = await client.call('chat/compaction/get', { id: result.compactionId });
    expect(compaction).toMatchObject({
      sessionId: chatSessionId,
      summary: result.summary,
      startMessageId: messages[0],
      endMessageId: messages[41],
      messagesCompacted: 42,
      originalTokenCount: result.originalTokenCount,
      compressedTokenCount: result.compressedTokenCount,
    });
  });

  it('keeps the 10 most recent messages by default', async () => {
    await using port = await open();
    const { client } = port;
    const left = async (sessionId: string) =>
      (await client.call('chat/message/list', { sessionId })).messages.map(({ id }) => id);
    const first = await talk(client, 30, { words: 5 });
    await client.call('ai/context/compact', { chatSessionId: first.id });
    expect(await left(first.id)).toEqual(first.messages.slice(20));
    // Where every message is a turn of its own, there is nothing to round up to.
    const { session } = await client.call('chat/session/create', {});
    for (let index = 0; index < 25; index++) {
      const add = { sessionId: session.id, role: 'user' as const, content: `${sentence(index)} `.repeat(9) };
      await client.call('chat/message/add', add);
    }
    await client.call('ai/context/compact', { chatSessionId: session.id });
    expect(await left(session.id)).toHaveLength(10);
    const second = await talk(client, 20, { words: 5 });
    await client.call('ai/context/compact', { chatSessionId: second.id, keepRecentCount: 4 });
    expect(await left(second.id)).toEqual(second.messages.slice(16));
  });

  it('requires at least 3 messages to compact', async () => {
    await using port = await open();
    const { client } = port;
    const compact = async (before: ('user' | 'assistant')[]) => {
      const { session } = await client.call('chat/session/create', {});
      const recent = Array.from(
        { length: 10 },
        (__, index) => (index % 2 === 0 ? 'user' : 'assistant') as 'user',
      );
      for (const [index, role] of [...before, ...recent].entries()) {
        const content = `${sentence(index)} `.repeat(9);
        await client.call('chat/message/add', { sessionId: session.id, role, content });
      }
      return client.call('ai/context/compact', { chatSessionId: session.id });
    };
    await expect(compact(['user', 'assistant'])).rejects.toMatchObject({
      rpcCode: -32000,
      code: 'nothing-to-compact',
    });
    expect((await compact(['user', 'user', 'assistant'])).messagesCompacted).toBe(3);
  });

  it('requires `chatSessionId`, and a number of messages if any is given', async () => {
    await using port = await open();
    const { id: chatSessionId } = await talk(port.client, 14, { words: 5 });
    const compact = (params: object) => port.client.call('ai/context/compact', params as never);
    for (const params of [
      {},
      { chatSessionId, keepRecentCount: -1 },
      { chatSessionId, keepRecentCount: '10' },
    ])
      await expect(compact(params)).rejects.toMatchObject({ rpcCode: -32602, code: 'usage' });
    await expect(compact({ chatSessionId: 'sess-abc-123' })).rejects.toMatchObject({
      code: 'session-not-found',
    });
    expect((await port.client.call('chat/message/list', { sessionId: chatSessionId })).messages).toHaveLength(
      14,
    );
  });

  it("sends the conversation to the session's own model, and nothing of that into the session", async () => {
    const record = { background: 'Initial session.', overview: 'The handlers were listed, each on a port.' };
    const lists = { topics: [], decisions: [], completed: [], pending: [], blockers: [], facts: [] };
    await using server = await startWireServer('openai-chat', () => replyObject({ ...record, ...lists }));
    await using port = await open({ env: server.env });
    const { client } = port;
    const { id: chatSessionId, messages } = await talk(client, 30, { words: 15 });
    const result = await client.call('ai/context/compact', { chatSessionId });
    expect(result.failures).toEqual([]);
    expect(result.by.kind).toBe('model');
    expect(result.summary).toContain('The handlers were listed');
    const asked = JSON.stringify(server.requests.map(({ body }) => body));
    // Whole messages, and of each one the end too.
    for (const index of [0, 7, 19]) expect(asked.split(sentence(index))).toHaveLength(16);
    expect(asked).not.toContain(sentence(20));
    const all = await client.call('chat/message/list', { sessionId: chatSessionId, includeInactive: true });
    expect(all.messages.map(({ id }) => id)).toEqual(messages);
  });

  it('carries earlier summaries on', async () => {
    await using port = await open();
    const { client } = port;
    const { session } = await client.call('chat/session/create', {});
    const choices = [
      'to send invoices through the quokka queue',
      'that wombat keeps the passwords',
      'against caching what numbat reads',
      'to deploy bilby on Fridays only',
      'on potoroo as the name of the release',
    ];
    for (const choice of choices) {
      for (let index = 0; index < 12; index++) {
        const content = index === 4 ? `We decided ${choice}.` : 'Let us go on then. '.repeat(30);
        const role = index % 2 === 0 ? 'user' : 'assistant';
        await client.call('chat/message/add', { sessionId: session.id, role, content });
      }
      await client.call('ai/context/compact', { chatSessionId: session.id, keepRecentCount: 2 });
    }
    const levels = (await client.call('chat/compaction/list', { sessionId: session.id })).map(
      ({ level }) => level,
    );
    expect(Math.max(...levels)).toBeGreaterThan(1);
    const meter = await client.call('chat/context/meter', { sessionId: session.id, messages: true });
    for (const choice of choices) expect(JSON.stringify(meter.messages)).toContain(choice);
  });

  it('takes nothing out of search', async () => {
    await using port = await open();
    const { client } = port;
    const { id: chatSessionId, messages } = await talk(client, 30, { words: 5 });
    const find = async () =>
      (await client.call('search', { query: '"port 8003"' })).hits.map(({ entry }) => entry);
    expect(await find()).toContain(messages[3]);
    await client.call('ai/context/compact', { chatSessionId });
    expect(await find()).toContain(messages[3]);
  });

  it('is shown before anything is spent', async () => {
    await using port = await open();
    const { id: chatSessionId } = await talk(port.client, 30, { words: 5 });
    const preview = await port.client.call('ai/context/preview', { chatSessionId });
    const done = await port.client.call('ai/context/compact', { chatSessionId });
    expect(preview).toEqual({
      covers: { from: 2, to: 21 },
      summarised: { messages: done.messagesCompacted, compactions: 0, tokens: done.originalTokenCount },
      kept: { messages: 10, tokens: expect.any(Number) },
      leftOut: { messages: 0, tokens: 0 },
      merges: 0,
      summaryTokens: expect.any(Number),
      savedTokens: expect.any(Number),
      context: { before: done.context!.before, after: expect.any(Number) },
      cost: null,
    });
    expect(done.context!.after).toBeLessThanOrEqual(preview.context!.after);
    expect(preview.savedTokens).toBeLessThanOrEqual(done.originalTokenCount - done.compressedTokenCount);
  });
});
