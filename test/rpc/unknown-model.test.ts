import { expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
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
  const sent = await client.call('ai/session/send', {
    sessionId: resumed.aiSessionId,
    storageSessionId: 'imported',
    content: 'And now?',
    wait: true,
  });
  expect(sent).toMatchObject({ text: 'Here.', turn: { status: 'complete' } });
  expect(sent.turn!.model).toContain(`${resumed.provider}:${resumed.model}`);
  expect(model.requests).toHaveLength(1);
});
