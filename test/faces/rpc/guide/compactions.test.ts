import { describe, expect, it } from 'vitest';
import { sentence, talk } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

// What the client guide says about the records of compactions, sentence by sentence.
const TYPES = {
  id: expect.any(String),
  sessionId: expect.any(String),
  summary: expect.stringMatching(/^## Conversation Summary\n/),
  startMessageId: expect.any(String),
  endMessageId: expect.any(String),
  messagesCompacted: expect.any(Number),
  originalTokenCount: expect.any(Number),
  compressedTokenCount: expect.any(Number),
  createdAt: expect.any(Number),
};

describe.each(DRIVERS)('compactions over %s', (_, open) => {
  it('lists compaction records with every field, sorted by `createdAt` ascending', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 40, { words: 5 });
    const first = await client.call('ai/context/compact', { chatSessionId: sessionId, keepRecentCount: 20 });
    const second = await client.call('ai/context/compact', { chatSessionId: sessionId, keepRecentCount: 6 });
    const list = await client.call('chat/compaction/list', { sessionId });
    expect(list.map(({ id }) => id)).toEqual([first.compactionId, second.compactionId]);
    expect(list[0]).toMatchObject({
      sessionId,
      summary: first.summary,
      startMessageId: messages[0],
      endMessageId: messages[19],
      messagesCompacted: 20,
      originalTokenCount: first.originalTokenCount,
      compressedTokenCount: first.compressedTokenCount,
      createdAt: expect.any(Number),
    });
    expect(list[1]).toMatchObject({ startMessageId: messages[20], endMessageId: messages[33] });
    for (const record of list) expect(record).toMatchObject(TYPES);
    await expect(client.call('chat/compaction/list', {} as never)).rejects.toMatchObject({ rpcCode: -32602 });
    expect(await client.call('chat/compaction/list', { sessionId: (await talk(client, 2)).id })).toEqual([]);
  });

  it('gets one compaction by its id alone, or an error if not found', async () => {
    await using port = await open();
    const { client } = port;
    await talk(client, 3);
    const { id: chatSessionId } = await talk(client, 30, { words: 5 });
    const { compactionId: id } = await client.call('ai/context/compact', { chatSessionId });
    const { compaction } = await client.call('chat/compaction/get', { id });
    expect(compaction).toMatchObject({ id, sessionId: chatSessionId });
    const nobody = '00000000-0000-7000-8000-000000000000';
    await expect(client.call('chat/compaction/get', { id: nobody })).rejects.toMatchObject({
      code: 'entry-not-found',
    });
  });

  it('re-activates messages with `expand`, and hides the same ones again with `collapse`', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 30, { words: 5 });
    const { compactionId: id } = await client.call('ai/context/compact', { chatSessionId: sessionId });
    const ids = async () =>
      (await client.call('chat/message/list', { sessionId })).messages.map((message) => message.id);
    expect(await ids()).toEqual(messages.slice(20));
    const expanded = await client.call('chat/compaction/expand', { id });
    expect(expanded).toMatchObject({ messagesActivated: 20, compaction: { status: 'expanded' } });
    expect(await ids()).toEqual(messages);
    const collapsed = await client.call('chat/compaction/collapse', { id });
    expect(collapsed).toMatchObject({ messagesDeactivated: 20, compaction: { status: 'collapsed' } });
    expect(await ids()).toEqual(messages.slice(20));
  });

  it('excludes inactive messages from lists by default, and says where they went when asked', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId } = await talk(client, 30, { words: 5 });
    const { compactionId } = await client.call('ai/context/compact', { chatSessionId: sessionId });
    const all = await client.call('chat/message/list', { sessionId, includeInactive: true });
    expect(all.messages.map(({ isActive }) => isActive)).toEqual([
      ...Array(20).fill(false),
      ...Array(10).fill(true),
    ]);
    expect(all.messages.slice(0, 20).every((message) => message.compactedIntoId === compactionId)).toBe(true);
    expect(all.messages.slice(20).every((message) => message.compactedIntoId === null)).toBe(true);
  });

  it('gives every new message as active, and compacted into nothing', async () => {
    await using port = await open();
    const { session } = await port.client.call('chat/session/create', {});
    for (const role of ['system', 'user', 'assistant'] as const) {
      const add = { sessionId: session.id, role, content: 'Hello.' };
      const { message } = await port.client.call('chat/message/add', add);
      expect(message).toMatchObject({ isActive: true, compactedIntoId: null, content: 'Hello.', role });
    }
  });

  it('deletes a compaction without re-activating its messages, unless it was expanded first', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 30, { words: 5 });
    const compact = () => client.call('ai/context/compact', { chatSessionId: sessionId });
    const shown = async () => (await client.call('chat/message/list', { sessionId })).messages.length;
    const first = await compact();
    await client.call('chat/compaction/expand', { id: first.compactionId });
    await client.call('chat/compaction/delete', { id: first.compactionId });
    expect(await shown()).toBe(30);
    const second = await compact();
    const gone = await client.call('chat/compaction/delete', { id: second.compactionId });
    expect(gone).toEqual({ id: second.compactionId, deleted: true, messagesActivated: 0 });
    expect(await shown()).toBe(10);
    expect(await client.call('chat/compaction/list', { sessionId })).toEqual([]);
    // Nothing is lost: whoever wants them back can have them.
    await client.call('chat/message/mark', { sessionId, ids: messages.slice(0, 1), mark: 'pinned' });
    const all = await client.call('chat/message/list', { sessionId, includeInactive: true });
    expect(all.messages.map(({ content }) => content.slice(0, 12))).toEqual(
      messages.map((__, index) => sentence(index).slice(0, 12)),
    );
  });

  it('undoes a compaction in one step', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId } = await talk(client, 30, { words: 5 });
    const { compactionId: id } = await client.call('ai/context/compact', { chatSessionId: sessionId });
    const undone = await client.call('chat/compaction/delete', { id, reactivate: true });
    expect(undone.messagesActivated).toBe(20);
    expect((await client.call('chat/message/list', { sessionId })).messages).toHaveLength(30);
  });
});
