import { describe, expect, it } from 'vitest';
import { modelLimits } from '../../../../src/tokens/index.ts';
import { reply, replyObject } from '../../../support/wire-script.ts';
import { startWireServer } from '../../../support/wire-server.ts';
import { SMALL, say, sentence, talk } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

// What the client guide says about sessions that have grown over the window.
describe.each(DRIVERS)('automatic compaction over %s', (_, open) => {
  it('happens when over the window with more than 15 active messages, and can be undone', async () => {
    await using port = await open();
    const { client } = port;
    const { session } = await client.call('chat/session/create', SMALL);
    const { window } = modelLimits(SMALL.model);
    const ids = await say(client, session.id, 40, 25);
    const asked = { chatSessionId: session.id };
    const roomy = await client.call('ai/session/resume', { ...asked, provider: 'offline' });
    expect(roomy).toMatchObject({ autoCompacted: false, messagesLoaded: 40 });
    const resumed = await client.call('ai/session/resume', asked);
    expect(resumed).toMatchObject({
      autoCompacted: true,
      contextWindow: window,
      messagesLoaded: 10,
      compactionsApplied: 1,
      compactionId: expect.any(String),
    });
    expect(resumed.contextTokens).toBeLessThanOrEqual(window);
    const { messages } = await client.call('chat/message/list', { sessionId: session.id });
    expect(messages.map(({ id }) => id)).toEqual(ids.slice(30));
    const list = await client.call('chat/compaction/list', { sessionId: session.id });
    expect(list).toMatchObject([
      { id: resumed.compactionId, startMessageId: ids[0], endMessageId: ids[29], messagesCompacted: 30 },
    ]);
    await client.call('chat/compaction/delete', { id: resumed.compactionId!, reactivate: true });
    expect((await client.call('chat/message/list', { sessionId: session.id })).messages).toHaveLength(40);
  });

  it.each([
    [15, false],
    [16, true],
  ])('with %d active messages over the window: %s', async (count, compacts) => {
    await using port = await open();
    const { client } = port;
    const { session } = await client.call('chat/session/create', SMALL);
    await say(client, session.id, count, 60);
    const resumed = await client.call('ai/session/resume', { chatSessionId: session.id });
    expect(resumed.autoCompacted).toBe(compacts);
    expect(resumed.contextTokens).toBeLessThan(resumed.contextWindow);
    expect(resumed.messagesLoaded).toBeLessThan(count);
    const list = await client.call('chat/compaction/list', { sessionId: session.id });
    expect(list).toHaveLength(compacts ? 1 : 0);
  });

  it("is done by the session's model if there is one, and the rest is sent on", async () => {
    const lists = { topics: [], decisions: [], completed: [], pending: [], blockers: [], facts: [] };
    const record = {
      background: 'Initial session.',
      overview: 'QUOKKA and the ports were listed.',
      ...lists,
    };
    await using server = await startWireServer('openai-chat', ({ body }) =>
      JSON.stringify(body.messages.at(-1)).includes('Go on?') ? reply('Yes.') : replyObject(record),
    );
    await using port = await open({ env: server.env });
    const { client } = port;
    const { session } = await client.call('chat/session/create', { model: 'compatible:codellama' });
    await say(client, session.id, 40, 25);
    const resumed = await client.call('ai/session/resume', { chatSessionId: session.id });
    expect(resumed).toMatchObject({ autoCompacted: true, provider: 'compatible', model: 'codellama' });
    const [compaction] = await client.call('chat/compaction/list', { sessionId: session.id });
    expect(compaction).toMatchObject({ by: { kind: 'model' }, summary: expect.stringContaining('QUOKKA') });
    const asked = server.requests.length;
    await client.call('ai/session/send', { sessionId: resumed.aiSessionId, content: 'Go on?' });
    const { body } = await server.received(asked + 1);
    const sent = JSON.stringify(body.messages);
    expect(sent.indexOf('QUOKKA')).toBeGreaterThan(-1);
    expect(sent.indexOf('QUOKKA')).toBeLessThan(sent.indexOf(sentence(30)));
    expect(sent).not.toContain(sentence(29));
  });

  it('does not happen within the window, however many messages there are', async () => {
    await using port = await open();
    const { id: chatSessionId } = await talk(port.client, 30, SMALL);
    const resumed = await port.client.call('ai/session/resume', { chatSessionId });
    expect(resumed).toMatchObject({ autoCompacted: false, messagesLoaded: 30, compactionsApplied: 0 });
  });
});
