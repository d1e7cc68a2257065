import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../../src/faces/rpc/client/index.ts';
import { talk, until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

const closing = (watch: { close(): void }) => ({ [Symbol.dispose]: () => watch.close() });
const names = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

describe('a draft summary over RPC', () => {
  it('is made, looked at, changed and approved; no client takes it for a document', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { id: chatSessionId, messages } = await talk(client, 12);
    const asked = { chatSessionId, keepRecentCount: 4, writer: 'digest' } as const;
    expect(await client.call('ai/context/draft/get', { chatSessionId })).toEqual({ draft: null });
    const { draft, made } = await client.call('ai/context/draft', asked);
    expect([made, draft.stale, draft.messages]).toEqual([true, false, 8]);
    const again = await client.call('ai/context/draft', asked);
    expect(again).toEqual({ draft, made: false, replaced: false });
    const first = draft.lines.find(({ from }) => from.length > 0)!;
    expect(messages).toContain(first.from[0]!.entry);
    expect(first.from[0]!.seq).toBeTypeOf('number');

    const changed = await client.call('ai/context/draft/change', {
      chatSessionId,
      draft: draft.id,
      changes: [
        { do: 'rewrite', line: first.name, text: 'What a person wrote.', section: 'decisions' },
        { do: 'pin', line: first.name },
      ],
    });
    expect(changed.draft.lines.find(({ text }) => text === 'What a person wrote.')).toMatchObject({
      section: 'decisions',
      pinned: true,
      from: first.from,
    });
    const sessionId = chatSessionId;
    expect(await client.call('chat/document/list', { sessionId })).toEqual({ documents: [] });
    for (const call of [
      client.call('chat/document/get', { sessionId, id: 'summary-draft' }),
      client.call('chat/document/delete', { sessionId, id: 'summary-draft' }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'entry-not-found' });
    await expect(
      client.call('chat/document/put', { sessionId, id: 'summary-draft', title: 'x', content: 'x' }),
    ).rejects.toMatchObject({ code: 'usage' });

    const { compactionId, summary } = await client.call('ai/context/draft/approve', {
      chatSessionId,
      draft: changed.draft.id,
    });
    expect(summary).toContain('- What a person wrote.');
    const list = await client.call('chat/compaction/list', { sessionId });
    expect(names(list)).toEqual([compactionId]);
    expect(await client.call('ai/context/draft/get', { chatSessionId })).toEqual({ draft: null });
  });

  it('refuses names that it does not have, and versions that are gone', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { id: chatSessionId } = await talk(client, 12);
    const { draft } = await client.call('ai/context/draft', { chatSessionId, keepRecentCount: 4 });
    const change = (changes: readonly object[], version = draft.id) =>
      client.call('ai/context/draft/change', { chatSessionId, draft: version, changes: changes as never });
    await expect(change([{ do: 'drop', line: 'part-99' }])).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('"part-99"'),
    });
    await expect(change([{ do: 'burn', line: 'part-1' }])).rejects.toMatchObject({ code: 'usage' });
    expect((await client.call('ai/context/draft/get', { chatSessionId })).draft).toEqual(draft);
    await change([{ do: 'drop', line: 'part-1' }]);
    await expect(change([{ do: 'drop', line: 'part-1' }])).rejects.toMatchObject({
      code: 'compaction-stale',
    });
    await expect(
      client.call('ai/context/draft/approve', { chatSessionId, draft: draft.id }),
    ).rejects.toMatchObject({ code: 'compaction-stale' });
    await client.call('ai/context/draft/discard', { chatSessionId });
    await expect(client.call('ai/context/draft/approve', { chatSessionId })).rejects.toMatchObject({
      code: 'entry-not-found',
    });
  });

  it('waits where a client set the session to ask first', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { id: sessionId } = await talk(client, 12);
    const { session } = await client.call('chat/session/update', {
      sessionId,
      askFirst: true,
      compaction: { trigger: { tokens: 60 }, keep: { messages: 2 } },
    });
    expect(session.askFirst).toBe(true);
    const events: LiveEvent[] = [];
    using _ = closing(client.watch(sessionId, { onEvent: (event) => events.push(event) }));
    const { aiSessionId } = await client.call('ai/session/create', {
      chatSessionId: sessionId,
      provider: 'offline',
    });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'And now?' });
    await until(() => events.some(({ type }) => type === 'turn-end'));
    const ended = events.filter(({ type }) => type === 'compaction-end');
    expect(ended).toMatchObject([{ did: 'draft', draft: expect.any(String), compactionId: null }]);
    expect(await client.call('chat/compaction/list', { sessionId })).toEqual([]);
    expect((await client.call('ai/context/draft/get', { chatSessionId: sessionId })).draft).toMatchObject({
      stale: false,
    });
  });
});
