import { describe, expect, it } from 'vitest';
import { newEntryId } from '../../../src/record/index.ts';
import { EACH } from './transports.ts';

// Swift's `UUID().uuidString` and .NET's "D" with capitals: the same id, however it is written.
describe.each(EACH)('an id in upper case over %s', (_, open) => {
  it('is the same as in lower case, wherever a UUID is taken', async () => {
    await using line = await open();
    const { client } = line;
    const { id: sessionId, session } = await client.call('chat/session/create', {});
    expect(sessionId).toBe(session.id);

    const lower = newEntryId();
    const upper = lower.toUpperCase();
    const said = { sessionId, role: 'user' as const, content: 'hello' };
    const { message } = await client.call('chat/message/add', { ...said, id: upper });
    expect(message.id).toBe(lower);
    for (const id of [upper, lower]) {
      expect((await client.call('chat/message/add', { ...said, id })).message).toEqual(message);
      expect((await client.call('chat/message/get', { sessionId, id })).message).toEqual(message);
      const other = client.call('chat/message/add', { ...said, content: 'another', id });
      await expect(other).rejects.toMatchObject({ code: 'entry-conflict' });
    }
    const pinned = { sessionId, ids: [upper], mark: 'pinned' as const };
    expect((await client.call('chat/message/mark', pinned)).messages).toMatchObject([
      { id: lower, pinned: true },
    ]);
    const fork = await client.call('chat/session/fork', { sessionId, at: upper });
    expect([fork.id, fork.session.messages]).toEqual([fork.session.id, 1]);

    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', { provider: 'offline' });
    const id = newEntryId();
    const send = { sessionId: aiSessionId, content: 'hello' };
    const first = await client.call('ai/session/send', { ...send, id: id.toUpperCase() });
    expect(first.messageId).toBe(id);
    const again = await client.call('ai/session/send', { ...send, id });
    expect(again.messageId).toBe(id);
    await client.call('ai/session/cancel', { chatSessionId, all: true });
    const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
    expect(messages.filter(({ role }) => role === 'user').map((one) => one.id)).toEqual([id]);
  });
});
