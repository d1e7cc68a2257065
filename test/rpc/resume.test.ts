import { describe, expect, it } from 'vitest';
import { modelLimits } from '../../src/tokens/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { sentence, talk } from './conversations.ts';
import { EACH, TRANSPORTS } from './transports.ts';

/** A small window, and no key: the digest summarises. */
const SMALL = { provider: 'openai', model: 'codellama' };

// Seed 003, "ai/session/resume", sentence by sentence.
describe.each(EACH)('resuming over %s', (_, open) => {
  it('gives every field, and each is true', async () => {
    await using line = await open();
    const { client } = line;
    const { id: chatSessionId } = await talk(client, 44, { words: 5, model: 'claude-sonnet-4-5-20250929' });
    await client.call('ai/context/compact', { chatSessionId });
    const resumed = await client.call('ai/session/resume', { chatSessionId });
    const meter = await client.call('chat/context/meter', { sessionId: chatSessionId });
    expect(resumed).toEqual({
      aiSessionId: expect.stringMatching(/^ai-/),
      chatSessionId,
      provider: 'anthropic',
      model: 'claude-sonnet-4-5-20250929',
      contextTokens: meter.tokens,
      contextWindow: modelLimits('claude-sonnet-4-5-20250929').window,
      messagesLoaded: 10,
      compactionsApplied: 1,
      autoCompacted: false,
      unfinished: false,
      waiting: 0,
      running: false,
    });
  });

  it("overrides the session's provider and model, and uses what is stored without", async () => {
    await using line = await open();
    const { client } = line;
    const { session } = await client.call('chat/session/create', { provider: 'openai', model: 'gpt-5' });
    const resume = async (asked: { provider?: string; model?: string }) => {
      const { provider, model } = await client.call('ai/session/resume', {
        chatSessionId: session.id,
        ...asked,
      });
      return `${provider}:${model}`;
    };
    expect(await resume({})).toBe('openai:gpt-5');
    expect(await resume({ provider: 'claude', model: 'claude-opus-4-5' })).toBe('anthropic:claude-opus-4-5');
    expect(await resume({ model: 'gpt-5-mini' })).toBe('openai:gpt-5-mini');
    expect(await resume({ model: 'gemini-2.5-pro' })).toBe('google:gemini-2.5-pro');
    expect(await resume({ provider: 'gemini', model: 'gemini-2.5-flash' })).toBe('google:gemini-2.5-flash');
    expect(await resume({})).toBe('openai:gpt-5');
    await expect(resume({ provider: 'nobody' })).rejects.toMatchObject({ code: 'model-unknown' });
  });

  it('compacts by itself when over the window with more than 15 active messages', async () => {
    await using line = await open();
    const { client } = line;
    const { session } = await client.call('chat/session/create', SMALL);
    const { window } = modelLimits(SMALL.model);
    for (let index = 0; index < 40; index++)
      await client.call('chat/message/add', {
        sessionId: session.id,
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `${sentence(index)} `.repeat(25),
      });
    const resumed = await client.call('ai/session/resume', {
      chatSessionId: session.id,
      provider: 'offline',
    });
    expect(resumed).toMatchObject({ autoCompacted: false, messagesLoaded: 40 });
    const smaller = await client.call('ai/session/resume', { chatSessionId: session.id });
    expect(smaller).toMatchObject({
      autoCompacted: true,
      contextWindow: window,
      messagesLoaded: 10,
      compactionsApplied: 1,
      compactionId: expect.any(String),
    });
    expect(smaller.contextTokens).toBeLessThanOrEqual(window);
    const { messages } = await client.call('chat/message/list', { sessionId: session.id });
    expect(messages).toHaveLength(10);
    // Undone by one call.
    await client.call('chat/compaction/delete', { id: smaller.compactionId!, reactivate: true });
    expect((await client.call('chat/message/list', { sessionId: session.id })).messages).toHaveLength(40);
  });

  it('trims instead when there are 15 active messages or fewer', async () => {
    await using line = await open();
    const { client } = line;
    const { session } = await client.call('chat/session/create', SMALL);
    for (let index = 0; index < 15; index++)
      await client.call('chat/message/add', {
        sessionId: session.id,
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `${sentence(index)} `.repeat(60),
      });
    const resumed = await client.call('ai/session/resume', { chatSessionId: session.id });
    expect(resumed.autoCompacted).toBe(false);
    expect(resumed.contextTokens).toBeLessThan(resumed.contextWindow);
    expect(resumed.messagesLoaded).toBeLessThan(15);
    expect(await client.call('chat/compaction/list', { sessionId: session.id })).toEqual([]);
  });
});

describe('what earlier programs got wrong', () => {
  it('puts summaries into the context before what came after them', async () => {
    await using server = await startWireServer('openai-chat', () => reply('Yes.'));
    await using line = await TRANSPORTS.websocket({ env: server.env });
    const { client } = line;
    const { id: chatSessionId, messages } = await talk(client, 24, { words: 5 });
    await client.call('chat/compaction/create', {
      sessionId: chatSessionId,
      summary: '## Conversation Summary\nThe parts were listed, QUOKKA among them.',
      startMessageId: messages[0]!,
      endMessageId: messages[13]!,
      apply: true,
    });
    const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Go on?' });
    const { body } = await server.received(1);
    const sent = JSON.stringify(body.messages);
    const places = ['QUOKKA', sentence(14).slice(0, 12), sentence(23).slice(0, 12), 'Go on?'].map((text) =>
      sent.indexOf(text),
    );
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(sent).not.toContain(sentence(3));
  });

  it('resumes more than 1,000 active messages with the newest ones', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { id: sessionId, messages } = await talk(client, 1203);
    const { context } = await client.call('chat/context/build', { sessionId });
    expect(context.messages.map(({ id }) => id)).toEqual(messages);
    const resumed = await client.call('ai/session/resume', { chatSessionId: sessionId });
    expect(resumed.messagesLoaded).toBe(1203);
    const meter = await client.call('chat/context/meter', { sessionId, messages: true });
    expect(JSON.stringify(meter.messages!.at(-1))).toContain('Message 1202');
    const page = await client.call('chat/message/list', { sessionId, limit: 200 });
    expect(page.messages.at(-1)!.id).toBe(messages.at(-1));
    const older = await client.call('chat/message/list', { sessionId, limit: 200, before: page.before! });
    expect(older.messages.map(({ id }) => id)).toEqual(messages.slice(803, 1003));
  });

  it('finds in a search what was compacted', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { id: chatSessionId, messages } = await talk(client, 30, { words: 5 });
    const find = async () =>
      (await client.call('search', { query: '"port 8003"' })).hits.map(({ entry }) => entry);
    expect(await find()).toContain(messages[3]);
    await client.call('ai/context/compact', { chatSessionId });
    expect(await find()).toContain(messages[3]);
  });

  it('keeps tool calls and short answers in the rebuilt context', async () => {
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const { session } = await client.call('chat/session/create', {});
    const add = (role: 'user' | 'assistant' | 'tool', content: string | { type: string }[]) =>
      client.call('chat/message/add', { sessionId: session.id, role, content });
    await add('user', 'List it.');
    await add('assistant', [
      { type: 'tool-call', toolCallId: 'c1', toolName: 'ls', input: { path: '.' } } as never,
    ]);
    const output = { type: 'text', value: 'README.md' };
    await add('tool', [{ type: 'tool-result', toolCallId: 'c1', toolName: 'ls', output } as never]);
    await add('assistant', 'Ok.');
    await add('user', 'And now?');
    const { messages } = await client.call('chat/context/meter', { sessionId: session.id, messages: true });
    const sent = JSON.stringify(messages);
    for (const piece of ['"ls"', 'README.md', 'Ok.']) expect(sent).toContain(piece);
  });
});
