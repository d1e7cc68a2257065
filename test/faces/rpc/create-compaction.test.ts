import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/store/index.ts';
import { crashAfter } from '../../../src/testing/index.ts';
import { talk } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

const SUMMARY = '## Conversation Summary\n- Discussed auth implementation\n- Port 8001 is taken';

describe('a summary that a client wrote', () => {
  it('is there and in effect, or not at all, wherever the process dies', async () => {
    for (let writes = 0; writes < 3; writes++) {
      const store = createMemoryStore();
      await using line = await TRANSPORTS.stdio({ store });
      const { id: sessionId, messages } = await talk(line.client, 8);
      const asked = { sessionId, summary: SUMMARY, startMessageId: messages[0]!, endMessageId: messages[4]! };
      await using dying = await TRANSPORTS.stdio({ store: crashAfter(store, writes) });
      await dying.client.call('chat/compaction/create', { ...asked, apply: true }).catch(() => {});
      const list = await line.client.call('chat/compaction/list', { sessionId });
      const { messages: shown } = await line.client.call('chat/message/list', { sessionId });
      expect([list.length, shown.length]).toEqual(list.length === 0 ? [0, 8] : [1, 3]);
    }
  });

  it('covers whole compactions or none of them', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { id: sessionId, messages } = await talk(client, 12);
    const create = (from: number, to: number) =>
      client.call('chat/compaction/create', {
        sessionId,
        summary: SUMMARY,
        startMessageId: messages[from]!,
        endMessageId: messages[to]!,
        apply: true,
      });
    const inner = await create(2, 5);
    await expect(create(4, 8)).rejects.toMatchObject({
      code: 'usage',
      details: { compaction: inner.compaction.id },
    });
    await expect(create(5, 2)).rejects.toMatchObject({ code: 'usage' });
    const outer = await create(0, 8);
    expect(outer.compaction).toMatchObject({
      level: 2,
      children: [inner.compaction.id],
      messagesCompacted: 9,
    });
    const list = await client.call('chat/compaction/list', { sessionId });
    expect(list.map(({ status }) => status)).toEqual(['covered', 'collapsed']);
    // One level, then the rest; and from below: what stands above it is opened too.
    const one = await client.call('chat/compaction/expand', { id: outer.compaction.id, deep: false });
    expect(one.messagesActivated).toBe(5);
    await client.call('chat/compaction/collapse', { id: outer.compaction.id });
    const below = await client.call('chat/compaction/expand', { id: inner.compaction.id });
    expect(below.messagesActivated).toBe(4);
    expect((await client.call('chat/message/list', { sessionId })).messages).toHaveLength(12);
  });
  it.each([true, false])('takes the place of one that was deleted (reactivate: %s)', async (reactivate) => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { id: sessionId, messages } = await talk(client, 12);
    const create = (from: number, to: number) =>
      client.call('chat/compaction/create', {
        sessionId,
        summary: SUMMARY,
        startMessageId: messages[from]!,
        endMessageId: messages[to]!,
        apply: true,
      });
    const first = await create(2, 7);
    await client.call('chat/compaction/delete', { id: first.compaction.id, reactivate });
    await create(4, 9);
    const again = await create(2, 9);
    const list = await client.call('chat/compaction/list', { sessionId });
    expect(list.map(({ status }) => status)).toEqual(['covered', 'collapsed']);
    expect(again.compaction.children).toHaveLength(1);
  });
});
