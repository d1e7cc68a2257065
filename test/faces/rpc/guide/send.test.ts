import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../../../src/faces/rpc/client/index.ts';
import { reply } from '../../../support/wire-script.ts';
import { startWireServer } from '../../../support/wire-server.ts';
import { until } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

describe.each(DRIVERS)('saying something over %s', (_, open) => {
  it('is acknowledged once it is stored, and answered in events and in the log', async () => {
    await using model = await startWireServer('openai-chat', [reply('Port 8001, as you said.')]);
    await using port = await open({ env: model.env });
    const { client } = port;
    const opened = await client.call('ai/session/create', { title: 'Ports', systemPrompt: 'Be brief.' });
    const events: LiveEvent[] = [];
    const seqs: number[] = [];
    let ready = false;
    client.watch(opened.chatSessionId, {
      after: 0,
      onEvent: (event) => events.push(event),
      onEntry: ({ seq }) => seqs.push(seq),
      onCaughtUp: () => {
        ready = true;
      },
    });
    await until(() => ready);
    const id = '01890000-0000-7000-8000-000000000001';
    const sent = await client.call('ai/session/send', {
      sessionId: opened.aiSessionId,
      content: 'Which port?',
      storageSessionId: opened.chatSessionId,
      id,
    });
    expect(sent).toEqual({
      stored: true,
      messageId: id,
      chatSessionId: opened.chatSessionId,
      waiting: false,
    });
    expect((await port.store.entry(opened.chatSessionId, id))?.body).toMatchObject({ role: 'user' });
    const { messages } = await until(async () => {
      const page = await client.call('chat/message/list', { sessionId: opened.chatSessionId });
      return page.messages.length === 2 ? page : undefined;
    });
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Which port?'],
      ['assistant', 'Port 8001, as you said.'],
    ]);
    await until(() => events.some(({ type }) => type === 'turn-end'));
    const heard = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    expect(heard).toBe('Port 8001, as you said.');
    const { head } = (await client.call('chat/session/get', { sessionId: opened.chatSessionId })).session;
    await until(() => seqs.length === head);
    expect(seqs).toEqual(Array.from({ length: head }, (__, index) => index + 1));
    const { body } = model.requests[0]!;
    expect(JSON.stringify(body.messages)).toContain('Be brief.');
    // Said again with the same id, it is neither stored nor answered twice.
    await client.call('ai/session/send', { sessionId: opened.aiSessionId, content: 'Which port?', id });
    expect(
      (await client.call('chat/message/list', { sessionId: opened.chatSessionId })).messages,
    ).toHaveLength(2);
    expect(model.requests).toHaveLength(1);
  });

  it('is refused when it cannot be stored', async () => {
    await using port = await open();
    const { client } = port;
    await expect(
      client.call('ai/session/send', { sessionId: 'ai-nobody', content: 'Hello' }),
    ).rejects.toMatchObject({ code: 'session-not-found' });
    const { aiSessionId } = await client.call('ai/session/create', {});
    await expect(
      client.call('ai/session/send', { sessionId: aiSessionId, content: '  ' }),
    ).rejects.toMatchObject({ code: 'usage' });
  });

  it('goes on after a restart by the chat session it names', async () => {
    await using port = await open();
    const { session } = await port.client.call('chat/session/create', {});
    const sent = await port.client.call('ai/session/send', {
      sessionId: 'ai-of-an-earlier-server',
      content: 'Still there?',
      storageSessionId: session.id,
    });
    expect(sent.stored).toBe(true);
  });
});
