import { describe, expect, it } from 'vitest';
import { contextFor } from '../../../src/agent/index.ts';
import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import type { LiveEvent } from '../../../src/faces/rpc/client/index.ts';
import { createSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { hang, reply, unauthorized } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { talk, until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

describe('a turn', () => {
  it('streams its events to the sender, in order, each once', async () => {
    await using model = await startWireServer('openai-chat', [reply('one two three four')]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const events: LiveEvent[] = [];
    const indexes: number[] = [];
    client.watch(chatSessionId, {
      onEvent(event, { index }) {
        events.push(event);
        indexes.push(index);
      },
    });
    await client.call('chat/session/get', { sessionId: chatSessionId });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Count.' });
    await until(() => events.some(({ type }) => type === 'turn-end') || undefined);
    const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    expect(text).toBe('one two three four');
    expect(indexes).toEqual(indexes.map((__, index) => index + 1));
    expect(events.map(({ type }) => type).filter((type) => type !== 'text-delta')).toEqual([
      'input-stored',
      'request-start',
      'answer-end',
      'turn-end',
    ]);
  });

  it('has the window that the server was given, and both calls that open it say so', async () => {
    await using line = await TRANSPORTS.websocket({ window: 20_000 });
    const { client } = line;
    const created = await client.call('ai/session/create', {});
    const { chatSessionId } = created;
    const resumed = await client.call('ai/session/resume', { chatSessionId });
    const { window } = await client.call('chat/context/meter', { sessionId: chatSessionId });
    expect([created.contextWindow, resumed.contextWindow, window]).toEqual([20_000, 20_000, 20_000]);
  });

  it.each([0, 300, undefined])('recalls as much as the server was set to: %s tokens', async (recall) => {
    await using store = createMemoryStore();
    await using session = await createSession(store, { id: 's' });
    const said = ['The printer in Leeds charges 4711 pounds.', 'Now the rivers.', 'And the index of names?'];
    await session.append(said.flatMap((words) => [user(words), assistant(`Noted: ${words} `.repeat(12))]));
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 1 } } });
    await session.close();
    await using line = await TRANSPORTS.http({ store, ...(recall !== undefined && { recall }) });
    const question = 'What does the printer in Leeds charge?';
    const { parts } = await line.client.call('chat/context/meter', { sessionId: 's', question });
    const { tokens } = parts.find(({ part }) => part === 'recall')!;
    if (recall === 0) expect(tokens).toBe(0);
    else expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(recall ?? 2000);
    const here = await contextFor(store, 's', { question, recall, model: 'offline' });
    expect(here.context.parts).toEqual(parts);
  });

  it('is not stopped by the id of an AI session that belongs to another session', async () => {
    await using line = await TRANSPORTS.websocket({});
    const { client } = line;
    const [ann, bob] = [
      await client.call('ai/session/create', {}),
      await client.call('ai/session/create', {}),
    ];
    const cancel = (sessionId: string, chatSessionId: string) =>
      client.call('ai/session/cancel', { sessionId, chatSessionId });
    await expect(cancel(ann.aiSessionId, bob.chatSessionId)).rejects.toMatchObject({ code: 'usage' });
    expect(await cancel(ann.aiSessionId, ann.chatSessionId)).toEqual({ cancelled: 0 });
  });

  it('goes on when the one who asked is gone', async () => {
    await using model = await startWireServer('openai-chat', [reply('Done all the same.', {})]);
    const store = createMemoryStore();
    await using line = await TRANSPORTS.websocket({ store, env: model.env });
    const { aiSessionId, chatSessionId } = await line.client.call('ai/session/create', {});
    await line.client.call('ai/session/send', { sessionId: aiSessionId, content: 'Do it.' });
    line.client.close();
    const answer = await until(async () => {
      const [last] = await store.read(chatSessionId, { only: 'messages', order: 'newest-first', limit: 1 });
      return last?.body.kind === 'message' && last.body.role === 'assistant' ? last.body : undefined;
    });
    expect(answer.parts).toEqual([{ type: 'text', text: 'Done all the same.' }]);
  });

  it('shows a window that opens in the middle the answer so far', async () => {
    await using model = await startWireServer('openai-chat', [
      { ...reply('a b c d e f g h'), delivery: 'stall' },
    ]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const first: LiveEvent[] = [];
    client.watch(chatSessionId, { onEvent: (event) => first.push(event) });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Slowly.' });
    await until(() => first.some(({ type }) => type === 'text-delta') || undefined);
    const second: LiveEvent[] = [];
    client.watch(chatSessionId, { onEvent: (event) => second.push(event) });
    const so = await until(() => second.find((event) => event.type === 'answer-so-far'));
    expect('a b c d e f g h').toContain(so.text);
    expect(so.text).not.toBe('');
    const resumed = await client.call('ai/session/resume', { chatSessionId });
    expect(resumed.running).toBe(true);
    expect(await client.call('ai/session/cancel', { chatSessionId })).toEqual({ cancelled: 1 });
    await until(() => second.some((event) => event.type === 'turn-end') || undefined);
    const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', status: 'interrupted' });
    expect(await client.call('ai/session/cancel', { chatSessionId })).toEqual({ cancelled: 0 });
  });

  it('tells a window that opens before the first word that a turn runs, and what waits for its own', async () => {
    await using model = await startWireServer('openai-chat', [hang(), reply('The second.')]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const get = () => client.call('chat/session/get', { sessionId: chatSessionId });
    const send = (content: string) => client.call('ai/session/send', { sessionId: aiSessionId, content });
    const { messageId: turn } = await send('First.');
    expect((await get()).waiting).toEqual([]);
    const { messageId: id } = await send('Second.');
    expect((await get()).waiting).toEqual([{ id, content: 'Second.', createdAt: expect.any(Number) }]);
    const { session: fork } = await client.call('chat/session/fork', { sessionId: chatSessionId });
    expect((await client.call('chat/session/get', { sessionId: fork.id })).waiting).toEqual([]);
    const heard: [LiveEvent, string][] = [];
    client.watch(chatSessionId, { onEvent: (event, about) => heard.push([event, about.turn]) });
    await until(() => heard[0]);
    expect(heard[0]).toEqual([{ type: 'answer-so-far', text: '', reasoning: '' }, turn]);
    await client.call('ai/session/cancel', { chatSessionId });
    await until(() => heard.some(([event, of]) => event.type === 'turn-end' && of === id) || undefined);
    expect((await get()).waiting).toEqual([]);
  });

  it('queues messages during a turn, stores them at once, and answers them in order', async () => {
    await using model = await startWireServer('openai-chat', ({ body }) =>
      reply(`re: ${body.messages.at(-1).content}`),
    );
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const words = Array.from({ length: 6 }, (__, index) => `question ${index}`);
    const sent = await Promise.all(
      words.map((content) => client.call('ai/session/send', { sessionId: aiSessionId, content })),
    );
    expect(sent.map(({ stored }) => stored)).toEqual(words.map(() => true));
    const { messages } = await until(async () => {
      const page = await client.call('chat/message/list', { sessionId: chatSessionId });
      return page.messages.length === 12 ? page : undefined;
    });
    expect(messages.map(({ content }) => content)).toEqual(words.flatMap((word) => [word, `re: ${word}`]));
    expect(messages.filter(({ role }) => role === 'user').map(({ id }) => id)).toEqual(
      sent.map(({ messageId }) => messageId),
    );
  });

  it('reports the error in words, keeps the messages, and asks again on request', async () => {
    await using model = await startWireServer('openai-chat', [unauthorized()]);
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const events: LiveEvent[] = [];
    client.watch(chatSessionId, { onEvent: (event) => events.push(event) });
    const { messageId } = await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hello?' });
    const failed = await until(() => events.find((event) => event.type === 'turn-error'));
    expect(failed).toMatchObject({ code: 'model-refused', message: expect.stringContaining('key') });
    await client.call('chat/session/update', { sessionId: chatSessionId, provider: 'offline', model: null });
    const { aiSessionId: again, unfinished } = await client.call('ai/session/resume', { chatSessionId });
    expect(unfinished).toBe(true);
    const went = await client.call('ai/session/continue', { sessionId: again });
    expect(went).toEqual({ started: true, messageId, chatSessionId });
    await until(() => events.some((event) => event.type === 'turn-end') || undefined);
    const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('is answered after a compaction that was under way, and nothing is lost', async () => {
    await using model = await startWireServer('openai-chat', () => reply('Noted.'));
    await using line = await TRANSPORTS.websocket({ env: model.env });
    const { client } = line;
    const { id: chatSessionId, messages: before } = await talk(client, 30, { words: 5 });
    const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId });
    const compacting = client.call('ai/context/compact', { chatSessionId });
    const { messageId } = await client.call('ai/session/send', {
      sessionId: aiSessionId,
      content: 'Meanwhile.',
    });
    await compacting;
    const all = await until(async () => {
      const page = await client.call('chat/message/list', {
        sessionId: chatSessionId,
        includeInactive: true,
      });
      return page.messages.length === 32 ? page.messages : undefined;
    });
    expect(all.map(({ id }) => id).slice(0, 31)).toEqual([...before, messageId]);
  });
});
