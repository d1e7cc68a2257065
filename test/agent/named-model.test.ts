import { describe, expect, it } from 'vitest';
import { contextFor, openAgent } from '../../src/agent/index.ts';
import { createSession, labelSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

describe('an agent that is opened with a model', () => {
  it.each([
    ['anthropic', 'claude-opus-4-5', { provider: 'anthropic', model: 'claude-opus-4-5' }],
    ['openai', 'claude-opus-4-5', { provider: 'anthropic', model: 'claude-opus-4-5' }],
    ['openai', 'anthropic', { provider: 'anthropic' }],
    ['anthropic', 'offline:quotes', { provider: 'offline', model: 'offline:quotes' }],
  ])('sets a session of %s to the model %s that it is opened with', async (provider, model, kept) => {
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { provider } });
    const { head } = session.info;
    const env = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    await using agent = await openAgent(session, { model, openModel: { env }, retry: { times: 0 } });
    expect((await agent.context()).chosen?.because).toBe('asked');
    expect(session.info.head).toBe(head);
    await agent.send('Hello').catch(() => {});
    const { settings } = (await session.refresh()).state;
    expect({ provider: settings.provider, model: settings.model }).toEqual({ model: undefined, ...kept });
    expect((await contextFor(store, session.id, { openModel: { env } })).model).toBe(agent.model.id);
  });

  it('is asked with the model that it is opened with until the session is set to another', async () => {
    await using server = await startWireServer('openai-chat', () => reply('Yes.'));
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await using agent = await openAgent(session, { model: 'offline', openModel: { env: server.env } });
    await agent.send('One?');
    await agent.send('Two, for this turn only?', { model: server.reference });
    expect(server.requests).toHaveLength(1);
    await agent.send('Three?');
    expect(server.requests).toHaveLength(1);
    await labelSession(store, session.info, { settings: { provider: null, model: server.reference } });
    await agent.send('Four?');
    expect([server.requests.length, agent.model.because]).toEqual([2, 'session']);
  });
});
