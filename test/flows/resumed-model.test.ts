import { describe, expect, it } from 'vitest';
import { openAgent } from '../../src/agent/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { createSession, resumeSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { createChatPlace } from './chat-place.ts';

const FIRST = 'compatible:first';
const LATER = 'compatible:later';

const modelsAsked = (requests: readonly { readonly body: unknown }[]) =>
  requests.map(({ body }) => (body as { model: string }).model);

/** A server whose environment names no model: only the session does. */
async function serve() {
  const server = await startWireServer('openai-chat', obligingModel());
  const { THROUGHLINE_MODEL: _, ...env } = server.env;
  return { server, env };
}

describe('a session that went on with another model than it was made with is resumed with the later one', () => {
  it('in the chat', async () => {
    using place = createChatPlace();
    const { server, env } = await serve();
    await using _ = server;
    await place.talk(['Hello', 'exit'], { env, args: ['--model', FIRST] });
    await place.talk(['Go on', 'exit'], { env, args: ['--continue', '--model', LATER] });
    const before = server.requests.length;
    const ran = await place.talk(['And now?', 'exit'], { env, args: ['--resume', '1'] });
    expect(ran.stderr.match(/^Model: .*$/gm)).toEqual([`Model: ${LATER} (remembered with the session)`]);
    await place.talk(['And then?', 'exit'], { env });
    expect(new Set(modelsAsked(server.requests.slice(before)))).toEqual(new Set(['later']));
  });

  it('over RPC', async () => {
    const { server, env } = await serve();
    await using _ = server;
    await using line = await TRANSPORTS.http({ env });
    const { client } = line;
    const created = await client.call('ai/session/create', { model: FIRST });
    const { chatSessionId } = created;
    const say = (sessionId: string) =>
      client.call('ai/session/send', { sessionId, content: 'Hello', wait: true });
    await say(created.aiSessionId);
    await client.call('chat/session/update', { sessionId: chatSessionId, model: LATER });
    await say(created.aiSessionId);
    const resumed = await client.call('ai/session/resume', { chatSessionId });
    await say(resumed.aiSessionId);
    expect(`${resumed.provider}:${resumed.model}`).toBe(LATER);
    expect(modelsAsked(server.requests)).toEqual(['first', 'later', 'later']);
  });

  it('in the library', async () => {
    const { server, env } = await serve();
    await using _ = server;
    const store = createMemoryStore();
    await using session = await createSession(store, { settings: { model: FIRST } });
    for (const model of [FIRST, LATER]) {
      await using agent = await openAgent(session, { model, openModel: { env } });
      await agent.send('Hello');
    }
    const summary = emptySummary('A greeting.');
    await using next = await resumeSession(store, await session.refresh(), { summary });
    await using agent = await openAgent(next, { openModel: { env } });
    await agent.send('And now?');
    expect(agent.model).toMatchObject({ id: LATER, because: 'session' });
    expect(modelsAsked(server.requests)).toEqual(['first', 'later', 'later']);
  });
});
