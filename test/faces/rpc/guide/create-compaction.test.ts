import { describe, expect, it } from 'vitest';
import { talk } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

const SUMMARY = '## Conversation Summary\n- Discussed auth implementation\n- Port 8001 is taken';

describe.each(DRIVERS)('a summary that a client wrote, over %s', (_, open) => {
  it('is stored by `create`, and hides nothing until `apply`', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 10);
    const [startMessageId, endMessageId] = [messages[0]!, messages[5]!];
    const shown = async () => (await client.call('chat/message/list', { sessionId })).messages.length;
    const { compaction } = await client.call('chat/compaction/create', {
      sessionId,
      summary: SUMMARY,
      startMessageId,
      endMessageId,
      messagesCompacted: 6,
    });
    expect(compaction).toMatchObject({
      summary: SUMMARY,
      startMessageId,
      endMessageId,
      messagesCompacted: 6,
    });
    expect(await shown()).toBe(10);
    const applied = await client.call('chat/compaction/apply', { id: compaction.id });
    expect(applied.messagesDeactivated).toBe(6);
    expect(await shown()).toBe(4);
    const { messages: sent } = await client.call('chat/context/meter', { sessionId, messages: true });
    expect(JSON.stringify(sent)).toContain('Discussed auth implementation');
  });

  it('is stored and applied in one step', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 10);
    const asked = { sessionId, summary: SUMMARY, startMessageId: messages[2]!, endMessageId: messages[5]! };
    const id = '01890000-0000-7000-8000-00000000abcd';
    const first = await client.call('chat/compaction/create', { ...asked, apply: true, id });
    expect(first.compaction).toMatchObject({ id, isActive: true, messagesCompacted: 4 });
    expect((await client.call('chat/message/list', { sessionId })).messages).toHaveLength(6);
    // Whoever got no answer asks again, and nothing happens twice.
    expect(await client.call('chat/compaction/create', { ...asked, apply: true, id })).toEqual(first);
    expect(await client.call('chat/compaction/list', { sessionId })).toHaveLength(1);
  });
});
