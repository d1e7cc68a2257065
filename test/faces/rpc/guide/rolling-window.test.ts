import { describe, expect, it } from 'vitest';
import { reply } from '../../../support/wire-script.ts';
import { startWireServer } from '../../../support/wire-server.ts';
import { SMALL, say, sentence, talk } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

// What the client guide says about the context that a session is resumed with.
describe.each(DRIVERS)('the rebuilt context over %s', (_, open) => {
  it('has the system prompt, the summaries, what came after them, and nothing that was compacted', async () => {
    await using server = await startWireServer('openai-chat', () => reply('Yes.'));
    await using port = await open({ env: server.env });
    const { client } = port;
    const { id: chatSessionId, messages } = await talk(client, 24, { words: 5 });
    await client.call('chat/session/update', { sessionId: chatSessionId, systemPrompt: 'HEAD: be brief.' });
    for (const [from, to, word] of [
      [0, 5, 'QUOKKA'],
      [6, 13, 'WOMBAT'],
    ] as const)
      await client.call('chat/compaction/create', {
        sessionId: chatSessionId,
        summary: `## Conversation Summary\nThe parts were listed, ${word} among them.`,
        startMessageId: messages[from]!,
        endMessageId: messages[to]!,
        apply: true,
      });
    const resumed = await client.call('ai/session/resume', { chatSessionId });
    expect(resumed).toMatchObject({ compactionsApplied: 2, messagesLoaded: 10 });
    await client.call('ai/session/send', { sessionId: resumed.aiSessionId, content: 'Go on?' });
    const { body } = await server.received(1);
    const sent = JSON.stringify(body.messages);
    const pieces = ['HEAD: be brief.', 'QUOKKA', 'WOMBAT', ...[14, 18, 23].map(start), 'Go on?'];
    const places = pieces.map((text) => sent.indexOf(text));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const index of [0, 3, 6, 13]) expect(sent).not.toContain(sentence(index));
  });

  it('always includes the system prompt, and trims the oldest entries', async () => {
    await using port = await open();
    const { client } = port;
    const systemPrompt = `HEAD ${'be very brief. '.repeat(200)}`;
    const { session } = await client.call('chat/session/create', { ...SMALL, systemPrompt });
    await say(client, session.id, 15, 60);
    const resumed = await client.call('ai/session/resume', { chatSessionId: session.id });
    expect(resumed.messagesLoaded).toBeLessThan(15);
    const meter = await client.call('chat/context/meter', { sessionId: session.id, messages: true });
    expect(meter.instructions).toContain(systemPrompt.trim());
    const sent = JSON.stringify(meter.messages);
    expect(sent).toContain(`${sentence(14)} ${sentence(14)}`);
    expect(sent).not.toContain(`${sentence(0)} ${sentence(0)}`);
    expect(meter.tokens).toBe(resumed.contextTokens);
    expect(meter.tokens + meter.reserve).toBeLessThanOrEqual(meter.window);
  });

  it('keeps a quarter of the window for the answer, and 8,000 tokens at most', async () => {
    await using port = await open();
    const { id: sessionId } = await talk(port.client, 2, { model: 'gpt-5' });
    const reserveOf = async (window: number) =>
      (await port.client.call('chat/context/meter', { sessionId, window })).reserve;
    expect(await reserveOf(8_000)).toBe(2_000);
    expect(await reserveOf(20_000)).toBe(5_000);
    expect(await reserveOf(32_000)).toBe(8_000);
    expect(await reserveOf(200_000)).toBe(8_000);
  });

  it('estimates about one token for four characters', async () => {
    await using port = await open();
    const { id: sessionId } = await talk(port.client, 20, { words: 5 });
    const { messages } = await port.client.call('chat/message/list', { sessionId });
    for (const { content, tokens } of messages) {
      expect(tokens).toBeGreaterThan(content.length / 6);
      expect(tokens).toBeLessThan(content.length / 2);
    }
    const { contextTokens } = await port.client.call('ai/session/resume', { chatSessionId: sessionId });
    const said = messages.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(contextTokens).toBeGreaterThanOrEqual(said);
  });

  it('loads more than 1,000 active messages with the newest ones', async () => {
    await using port = await open();
    const { client, store } = port;
    const { session } = await client.call('chat/session/create', {});
    const added = await store.append(
      session.id,
      Array.from({ length: 1203 }, (__, index) => ({
        body: {
          kind: 'message' as const,
          role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
          parts: [{ type: 'text', text: sentence(index) }],
        },
      })),
    );
    const sessionId = session.id;
    const { context } = await client.call('chat/context/build', { sessionId });
    expect(context.messages.map(({ id }) => id)).toEqual(added.map(({ id }) => id));
    const resumed = await client.call('ai/session/resume', { chatSessionId: sessionId });
    expect(resumed.messagesLoaded).toBe(1203);
    const meter = await client.call('chat/context/meter', { sessionId, messages: true });
    expect(JSON.stringify(meter.messages!.at(-1))).toContain('Message 1202');
    const page = await client.call('chat/message/list', { sessionId, limit: 200 });
    expect(page.messages.at(-1)!.id).toBe(added.at(-1)!.id);
  });

  it('keeps tool calls and short answers', async () => {
    await using port = await open();
    const { client } = port;
    const { session } = await client.call('chat/session/create', {});
    const add = (role: 'user' | 'assistant' | 'tool', content: string | { type: string }[]) =>
      client.call('chat/message/add', { sessionId: session.id, role, content });
    await add('user', 'List it.');
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'ls', input: { path: '.' } };
    await add('assistant', [call]);
    const output = { type: 'text', value: 'README.md' };
    const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'ls', output };
    await add('tool', [result]);
    await add('assistant', 'Ok.');
    await add('user', 'And now?');
    const { messages } = await client.call('chat/context/meter', { sessionId: session.id, messages: true });
    const sent = JSON.stringify(messages);
    for (const piece of ['"ls"', 'README.md', 'Ok.']) expect(sent).toContain(piece);
  });
});

const start = (index: number) => sentence(index).slice(0, 12);
