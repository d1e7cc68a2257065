import { expect, it } from 'vitest';
import { createSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { TRANSPORTS } from './transports.ts';

it('a session whose provider is not known here goes on with the model of the environment, as resume says', async () => {
  await using model = await startWireServer('openai-chat', [reply('Here.')]);
  const store = createMemoryStore();
  const settings = { provider: 'openrouter', model: 'qwen/qwen3-coder' };
  const session = await createSession(store, { id: 'imported', settings });
  await session.append([user('Are you there?'), assistant('Yes.')]);
  await session.close();
  await using line = await TRANSPORTS.http({ store, env: model.env });
  const { client } = line;
  const resumed = await client.call('ai/session/resume', { chatSessionId: 'imported' });
  expect(resumed.modelProblem).toContain('openrouter:qwen/qwen3-coder cannot be used');
  const sent = await client.call('ai/session/send', {
    sessionId: resumed.aiSessionId,
    storageSessionId: 'imported',
    content: 'And now?',
    wait: true,
  });
  const { modelProblem } = resumed;
  expect(sent).toMatchObject({ text: 'Here.', turn: { status: 'complete' }, modelProblem });
  expect(sent.turn!.model).toContain(`${resumed.provider}:${resumed.model}`);
  expect(model.requests).toHaveLength(1);
});

it('refuses a model for which no provider is known, where a session is made or changed', async () => {
  await using line = await TRANSPORTS.http({ env: {} });
  const { client } = line;
  const { session } = await client.call('chat/session/create', {});
  const refused = { code: 'model-unknown', message: expect.stringContaining('"ollama:zzz"') };
  const sessionId = session.id;
  await expect(client.call('chat/session/update', { sessionId, model: 'zzz' })).rejects.toMatchObject(
    refused,
  );
  await expect(client.call('chat/session/create', { model: 'zzz' })).rejects.toMatchObject(refused);
  await client.call('chat/session/update', { sessionId, provider: 'ollama', model: 'zzz' });
  // A model alone belongs to the provider that the session has.
  await client.call('chat/session/update', { sessionId, model: 'zzz2' });
  const cleared = { sessionId, provider: null, model: 'zzz' };
  await expect(client.call('chat/session/update', cleared)).rejects.toMatchObject(refused);
  await client.call('chat/session/update', { sessionId, provider: 'anthropic', model: null });
  const foreign = { sessionId, model: 'openrouter:x' };
  await expect(client.call('chat/session/update', foreign)).rejects.toMatchObject({ code: 'model-unknown' });
});

it('a model that is asked for with a message and has no key is an error, and nothing is stored', async () => {
  await using line = await TRANSPORTS.http({ env: {} });
  const { client } = line;
  const { chatSessionId } = await client.call('ai/session/create', {});
  const asked = { storageSessionId: chatSessionId, content: 'Hello?', provider: 'openai' };
  await expect(client.call('ai/session/send', asked)).rejects.toMatchObject({ code: 'model-not-configured' });
  const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
  expect(messages).toEqual([]);
});

it('a new session for a provider without a key announces the model that answers in its place', async () => {
  await using model = await startWireServer('openai-chat', [reply('Here.')]);
  await using line = await TRANSPORTS.http({ env: model.env });
  const { client } = line;
  const { aiSessionId, ...made } = await client.call('ai/session/create', { provider: 'anthropic' });
  const sent = await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hi', wait: true });
  expect(sent.turn!.model).toBe(`${made.provider}:${made.model}`);
  expect(made.modelProblem).toContain('anthropic cannot be used');
  expect(sent.modelProblem).toBe(made.modelProblem);
});

it.each([
  { settings: {}, instead: false, why: 'it names none' },
  { settings: { model: 'offline' }, instead: false, why: 'it can be used' },
  { settings: { provider: 'claude', model: 'claude-opus-4-5' }, instead: true, why: 'it has no key' },
  { settings: { provider: 'openrouter', model: 'qwen/qwen3-coder' }, instead: true, why: 'it is not known' },
])(
  'the meter of a session set to $settings names the model that answers: $why',
  async ({ settings, instead }) => {
    await using model = await startWireServer('openai-chat', [reply('Here.')]);
    for (const env of [{}, model.env]) {
      await using line = await TRANSPORTS.http({ env });
      await (await createSession(line.store, { id: 's', settings })).close();
      const { client } = line;
      const meter = await client.call('chat/context/meter', { sessionId: 's' });
      const opened = await client.call('ai/session/create', { chatSessionId: 's' });
      const resumed = await client.call('ai/session/resume', { chatSessionId: 's' });
      expect([opened.answeredBy, resumed.answeredBy]).toEqual([meter.answeredBy, meter.answeredBy]);
      const asked = { storageSessionId: 's', content: 'Who answers?', wait: true };
      const { turn } = await client.call('ai/session/send', asked);
      expect(turn).toMatchObject({ status: 'complete', model: meter.answeredBy ?? meter.model });
      expect([meter.answeredBy !== undefined, meter.modelProblem !== undefined]).toEqual([instead, instead]);
    }
  },
);

it('a compaction of a session whose model is not known here says so, and has the digest', async () => {
  const store = createMemoryStore();
  const settings = { provider: 'openrouter', model: 'qwen/qwen3-coder' };
  const session = await createSession(store, { id: 'imported', settings });
  for (let turn = 0; turn < 12; turn++)
    await session.append([user(`Question ${turn}?`), assistant(`Answer ${turn}. ${'word '.repeat(60)}`)]);
  await session.close();
  await using line = await TRANSPORTS.http({ store, env: {} });
  const compacted = await line.client.call('ai/context/compact', {
    chatSessionId: 'imported',
    keepRecentCount: 4,
  });
  expect(compacted.by.kind).toBe('digest');
  expect(compacted.modelProblem).toContain('openrouter:qwen/qwen3-coder cannot be used');
});
