import { describe, expect, it } from 'vitest';
import type { CompactionRecord, MessageRecord } from '../../../../src/faces/rpc/client/index.ts';
import { reply } from '../../../support/wire-script.ts';
import { startWireServer } from '../../../support/wire-server.ts';
import { sentence, talk, until } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

// What the client guide tells the writer of a client to do, step by step: nothing is computed on this side.
describe.each(DRIVERS)('a client over %s', (_, open) => {
  it('opens an existing session: resumes, remembers the AI session, sends', async () => {
    await using model = await startWireServer('openai-chat', () => reply('It is 8003.'));
    await using port = await open({ env: model.env });
    const { client } = port;
    const stored = await talk(client, 6);
    const result = await client.call('ai/session/resume', { chatSessionId: stored.id });
    expect([result.contextTokens, result.contextWindow].every((count) => count > 0)).toBe(true);
    expect(result.autoCompacted).toBe(false);
    await client.call('ai/session/send', {
      sessionId: result.aiSessionId,
      content: 'Which port has part 3?',
      storageSessionId: stored.id,
    });
    // Everything that was said before stands in the request, in order, and the question comes last.
    const { body } = await model.received(1);
    const sent = JSON.stringify(body.messages);
    const places = [...stored.messages.map((__, index) => sentence(index)), 'Which port'].map((text) =>
      sent.indexOf(text),
    );
    expect(places.every((place, index) => place > (places[index - 1] ?? -1))).toBe(true);
    const { messages } = await until(async () => {
      const page = await client.call('chat/message/list', { sessionId: stored.id });
      return page.messages.length === 8 ? page : undefined;
    });
    expect(messages.map(({ id }) => id).slice(0, 6)).toEqual(stored.messages);
    expect(messages.slice(6).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: Which port has part 3?',
      'assistant: It is 8003.',
    ]);
  });

  it('has a button that compacts, reports the saved tokens, and reloads the messages', async () => {
    await using port = await open();
    const { client } = port;
    const { id, messages } = await talk(client, 52, { words: 5 });
    const meter = async () => (await client.call('chat/context/meter', { sessionId: id })).tokens;
    const before = await meter();
    const result = await client.call('ai/context/compact', { chatSessionId: id, keepRecentCount: 10 });
    const saved = result.originalTokenCount - result.compressedTokenCount;
    expect(`Summarized ${result.messagesCompacted} messages`).toBe('Summarized 42 messages');
    expect(saved).toBeGreaterThan(0);
    // What is said to be saved is saved, but for the line that labels the summary.
    expect(Math.abs(before - (await meter()) - saved)).toBeLessThan(100);
    const reloaded = await client.call('chat/message/list', { sessionId: id });
    expect(reloaded.messages.map((message) => message.id)).toEqual(messages.slice(42));
  });

  it('shows summary cards among the messages, opens one, and closes it again', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 30, { words: 5 });
    const first = await client.call('ai/context/compact', { chatSessionId: sessionId, keepRecentCount: 20 });
    const second = await client.call('ai/context/compact', { chatSessionId: sessionId, keepRecentCount: 10 });
    const timeline = async () => {
      const cards = await client.call('chat/compaction/list', { sessionId });
      const page = await client.call('chat/message/list', { sessionId });
      return lay(cards, page.messages);
    };
    const closed = [first.compactionId, second.compactionId, ...messages.slice(20)];
    expect(await timeline()).toEqual(closed);
    await client.call('chat/compaction/expand', { id: first.compactionId });
    expect(await timeline()).toEqual([
      first.compactionId,
      ...messages.slice(0, 10),
      second.compactionId,
      ...messages.slice(20),
    ]);
    const opened = await client.call('chat/context/build', { sessionId });
    expect(
      opened.context.messages.filter((each) => each.compactedIntoId === first.compactionId),
    ).toHaveLength(10);
    await client.call('chat/compaction/collapse', { id: first.compactionId });
    expect(await timeline()).toEqual(closed);
  });

  it('gets the raw data of a session for its own purposes', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 30, { words: 5 });
    const { document } = await client.call('chat/document/put', {
      sessionId,
      title: 'Plan',
      content: 'One.',
    });
    const { todo } = await client.call('chat/todo/put', { sessionId, text: 'Write it' });
    await client.call('ai/context/compact', { chatSessionId: sessionId });
    const built = await client.call('chat/context/build', { sessionId });
    expect(built).toEqual({
      sessionId,
      context: {
        session: (await client.call('chat/session/get', { sessionId })).session,
        messages: (await client.call('chat/message/list', { sessionId })).messages,
        documents: [document],
        todos: [todo],
        compactions: await client.call('chat/compaction/list', { sessionId }),
      },
    });
    expect(built.context.messages.map(({ id }) => id)).toEqual(messages.slice(20));
    expect(built.context.messages.every(({ isActive }) => isActive)).toBe(true);
  });
});

/** As the guide has it: each card in its place in time, before what came after what it stands for. */
function lay(cards: readonly CompactionRecord[], messages: readonly MessageRecord[]): string[] {
  const rows = [
    ...cards.map(({ id, covers }) => ({ id, at: covers.from - 0.5 })),
    ...messages.map(({ id, seq }) => ({ id, at: seq })),
  ];
  return rows.sort((a, b) => a.at - b.at).map(({ id }) => id);
}
