import { expect, it } from 'vitest';
import { TRANSPORTS } from './transports.ts';

it('the meter gives what was sent at a question and at its answer, with the system prompt of then', async () => {
  await using line = await TRANSPORTS.http();
  const { call } = line.client;
  const { aiSessionId, chatSessionId } = await call('ai/session/create', {
    provider: 'offline',
    systemPrompt: 'Speak like a sailor.',
  });
  const content = 'Which port?';
  const next = await call('chat/context/meter', {
    sessionId: chatSessionId,
    question: content,
    messages: true,
  });
  await call('ai/session/send', { sessionId: aiSessionId, content, wait: true });
  await call('chat/session/update', { sessionId: chatSessionId, systemPrompt: 'Speak like a judge.' });
  const said = await line.store.read(chatSessionId, { only: 'messages' });
  expect(said).toHaveLength(2);
  for (const { seq } of said) {
    const then = await call('chat/context/meter', { sessionId: chatSessionId, at: seq, messages: true });
    expect(then.instructions).toContain('Speak like a sailor.');
    const { tokens, parts, messages, instructions, model } = next;
    expect(then).toMatchObject({ tokens, parts, messages, instructions, model });
  }
});

it('the meter builds what would have been sent where the log says nothing, with the system prompt of then', async () => {
  await using line = await TRANSPORTS.http();
  const { call } = line.client;
  const { id: sessionId } = await call('chat/session/create', { systemPrompt: 'Speak like a sailor.' });
  for (const role of ['user', 'assistant'] as const)
    await call('chat/message/add', { sessionId, role, content: 'Hello.' });
  await call('chat/session/update', { sessionId, systemPrompt: 'Speak like a judge.' });
  for (const { seq } of await line.store.read(sessionId, { only: 'messages' }))
    for (const asked of [{}, { question: 'Which port?' }, { window: 9_000 }]) {
      const then = await call('chat/context/meter', { sessionId, at: seq, messages: true, ...asked });
      expect(then.instructions).toContain('Speak like a sailor.');
      expect(then.instructions).not.toContain('judge');
    }
});
