import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextFor, openAgent } from '../../src/agent/index.ts';
import { createSession, openSession, resumeSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore, openStore, type Store } from '../../src/store/index.ts';
import { assistant, summaryOf, user } from '../../src/testing/index.ts';
import { badRequest, callTool, reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

/** Three sessions in a chain; the port is named in the first alone. */
async function openChain(store: Store): Promise<Session> {
  const first = await createSession(store, { id: 'first' });
  await first.append([user('The zebra migration uses port 7411.'), assistant('Noted.')]);
  const second = await resumeSession(store, await first.refresh(), { summary: summaryOf('Migrations.') });
  await first.close();
  await second.append([user('The web server is next.'), assistant('Fine.')]);
  const third = await resumeSession(store, await second.refresh(), { summary: summaryOf('A web server.') });
  await second.close();
  return third;
}

const QUESTION = 'Which port did the zebra migration use?';
const toolsIn = (body: unknown) => JSON.stringify((body as { tools?: unknown }).tools ?? null);

describe('the recall tool of an agent', () => {
  it('reads messages of two sessions back, without approval', async () => {
    await using store = createMemoryStore();
    await using session = await openChain(store);
    await using server = await startWireServer('openai-chat', (_, index) =>
      index === 0 ? callTool('recall', { query: 'zebra migration port' }) : reply('Port 7411.'),
    );
    await using agent = await openAgent(session, { openModel: { env: server.env } });
    const { text } = await agent.send(QUESTION);
    expect(text).toBe('Port 7411.');
    expect(toolsIn(server.requests[0]!.body)).toContain('"recall"');
    expect(JSON.stringify(server.requests[0]!.body)).not.toContain('7411');
    expect(JSON.stringify(server.requests[1]!.body)).toContain('The zebra migration uses port 7411.');
  });

  it('is offered only where something is out of sight and recall is on', async () => {
    await using store = createMemoryStore();
    await using server = await startWireServer('openai-chat', () => reply('Ok.'));
    const openModel = { env: server.env };
    await using chain = await openChain(store);
    await using off = await openAgent(chain, { openModel, recall: 0 });
    await off.send(QUESTION);
    await using fresh = await createSession(store);
    await using agent = await openAgent(fresh, { openModel });
    await agent.send(QUESTION);
    expect(server.requests.map(({ body }) => toolsIn(body))).toEqual(['null', 'null']);
  });

  it('is left out for a model that refuses tools, and not offered to it again', async () => {
    await using store = createMemoryStore();
    await using session = await openChain(store);
    await using server = await startWireServer('openai-chat', ({ body }) =>
      toolsIn(body) === 'null' ? reply('Fine.') : badRequest('this model does not support tools'),
    );
    await using agent = await openAgent(session, { openModel: { env: server.env } });
    const mended: string[] = [];
    const onEvent = (event: { type: string }) => event.type === 'request-mend' && mended.push(event.type);
    expect((await agent.send(QUESTION, { onEvent })).text).toBe('Fine.');
    expect((await agent.send('And now?', { onEvent })).text).toBe('Fine.');
    expect(mended).toHaveLength(1);
    expect(server.requests.map(({ body }) => toolsIn(body) !== 'null')).toEqual([true, false, false]);
  });

  it('is foretold and offered to no model that refused tools in the session, in another process either', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'throughline-'));
    const file = path.join(folder, 'store.db');
    const script = ({ body }: { body: unknown }) =>
      toolsIn(body) === 'null' ? reply('Fine.') : badRequest('this model does not support tools');
    await using server = await startWireServer('openai-chat', script, { models: ['wire-model', 'other'] });
    const openModel = { env: server.env };
    let id: string;
    {
      await using store = await openStore(file);
      await using session = await openChain(store);
      await using agent = await openAgent(session, { openModel });
      await agent.send(QUESTION);
      id = session.id;
    }
    {
      await using store = await openStore(file);
      const other = server.reference.replace('wire-model', 'other');
      const listed = async (model?: string) =>
        (await contextFor(store, id, { openModel, model })).tools?.map(({ name }) => name);
      expect(await listed()).toEqual([]);
      expect(await listed(other)).toContain('recall');
      await using session = await openSession(store, id);
      await using agent = await openAgent(session, { openModel });
      await agent.send('And now?');
    }
    await rm(folder, { recursive: true });
    expect(server.requests.map(({ body }) => toolsIn(body) !== 'null')).toEqual([true, false, false]);
  });
});
