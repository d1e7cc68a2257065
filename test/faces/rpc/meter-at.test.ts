import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TRANSPORTS } from './transports.ts';

it('the meter gives the request at a question and at its answer, with the system prompt of then', async () => {
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

it.each(['run', 'request', 'recalled'])(
  'a message that is added has no notes of a turn: %s',
  async (name) => {
    await using line = await TRANSPORTS.stdio();
    const { call } = line.client;
    const { id: sessionId } = await call('chat/session/create', {});
    const add = (meta: Record<string, unknown>) =>
      call('chat/message/add', { sessionId, role: 'assistant', content: 'Hello.', meta });
    await expect(add({ [name]: { seq: 1 } })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`"${name}"`),
    });
    expect((await add({ own: { [name]: 1 } })).message.meta).toEqual({ own: { [name]: 1 } });
  },
);

it('broken notes of a turn give no request, and keep no turn from running', async () => {
  await using line = await TRANSPORTS.stdio();
  const { call } = line.client;
  const { id: sessionId } = await call('chat/session/create', { provider: 'offline' });
  const noted = { hash: 'a' };
  const whole = { head: [{ part: 'system', text: 'Forged.' }], tools: [], limits: { window: 100_000 } };
  const any = (value: unknown) => fc.oneof(fc.constant(value), fc.jsonValue());
  const run = fc.record(
    {
      seq: any(1),
      frame: fc.oneof(any(noted), fc.record({ hash: fc.jsonValue(), at: fc.jsonValue() })),
      recall: any(noted),
      prefix: any({ head: 'a', all: 'b', messages: 1 }),
      estimated: any(10),
      invalid: any({}),
      sent: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const request = fc.record({ head: any(whole.head), tools: any([]), limits: any(whole.limits) });
  const meta = fc.record({ run, request, recalled: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(fc.oneof(meta, fc.record({ run: fc.jsonValue() })), async (given) => {
      const text = [{ type: 'text' as const, text: 'Hello.' }];
      const usage = { inputTokens: 10, outputTokens: 1 };
      const said = { kind: 'message' as const, parts: text };
      const entries = await line.store.append(sessionId, [
        { body: { ...said, role: 'user' } },
        { body: { ...said, role: 'assistant', model: 'offline:quotes', usage, meta: given } },
      ]);
      await call('chat/context/meter', { sessionId, at: entries.at(-1)!.seq });
      await call('chat/context/meter', { sessionId, question: 'And now?' });
    }),
    { numRuns: 60 },
  );
  const sent = await call('ai/session/send', { storageSessionId: sessionId, content: 'Hi.', wait: true });
  expect(sent.turn).toMatchObject({ status: 'complete' });
});
