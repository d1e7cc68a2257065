import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RpcClient } from '../../../src/faces/rpc/client/rpc-client.ts';
import type { AgentSdk } from '../../../src/faces/rpc/index.ts';
import { newEntryId, WORK_DOCUMENTS } from '../../../src/record/index.ts';
import { openWork } from '../../../src/work/index.ts';
import { makeRepository } from '../../work/workshop.ts';
import { sentence, until } from './conversations.ts';
import { EACH, TRANSPORTS } from './transports.ts';

describe.each(EACH)('work over %s', (_, open) => {
  it('is planned, moved, talked about and asked for', async () => {
    using repository = makeRepository();
    await using line = await open();
    const { client } = line;
    const project = repository.path;
    expect(await client.call('work/features', { project })).toEqual({ features: [] });
    await client.call('work/feature/set', {
      project,
      feature: 'auth',
      name: 'Sign in',
      spec: 'With a password.',
    });
    await client.call('work/task/set', { project, feature: 'auth', task: 'store', title: 'Keep sessions' });
    const { task } = await client.call('work/task/set', {
      project,
      feature: 'auth',
      task: 'login',
      dependsOn: ['store'],
    });
    expect(task).toMatchObject({ id: 'login', state: 'planning', dependsOn: ['store'] });
    const move = (to: string, force = false) =>
      client.call('work/task/move', { project, feature: 'auth', task: 'login', to, force });
    await expect(move('in_dev')).rejects.toMatchObject({ code: 'transition-refused' });
    expect((await move('in_dev', true)).task.moves).toMatchObject([
      { from: 'planning', to: 'in_dev', by: 'owner' },
    ]);

    const place = { project, type: 'dev-task' as const, feature: 'auth', task: 'login' };
    const { session } = await client.call('work/session/open', place);
    expect(session).toMatchObject({
      session: 'dev_auth_login_in_dev',
      state: 'in_dev',
      agent: 'dev',
      loop: null,
      shows: [],
    });
    expect((await client.call('work/session/open', place)).session.session).toBe(session.session);
    const sessionId = session.session;
    const added = await client.call('work/message/add', {
      sessionId,
      role: 'user',
      content: 'Make it pass.',
    });
    expect(added.requestTokens).toBeLessThan(added.budget);
    const request = await client.call('work/request', { sessionId, question: 'Go on.' });
    expect(request).toMatchObject({
      userPrompt: 'Go on.',
      systemPrompt: expect.stringContaining('**User**: Make it pass.'),
    });
    expect((await client.call('work/checkpoint', { sessionId })).checkpoint).toMatchObject({
      sessionId,
      version: 0,
    });

    const { features } = await client.call('work/features', { project });
    expect(features).toMatchObject([
      { id: 'auth', tasks: [{ id: 'store' }, { id: 'login', sessions: [{ session: sessionId }] }] },
    ]);
    expect((await client.call('work/tasks', { project, feature: 'auth' })).tasks).toHaveLength(2);
    const { sessions } = await client.call('work/sessions', { project, feature: 'auth' });
    expect(sessions).toMatchObject([{ session: sessionId, messages: 1, tokens: { budget: 100_000 } }]);
    await expect(client.call('work/tasks', { project, feature: 'none' })).rejects.toMatchObject({
      code: 'feature-not-found',
    });
    await client.call('chat/session/create', { id: 'chat' });
    await expect(
      client.call('work/request', { sessionId: 'chat', question: 'Go on.' }),
    ).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a session that the server itself goes on with', () => {
  it('takes messages and requests of work during that', async () => {
    using repository = makeRepository();
    const go = Promise.withResolvers<void>();
    const agentSdk: AgentSdk = {
      async *query() {
        yield { type: 'system', subtype: 'init', session_id: 'sdk-1' };
        await go.promise;
        yield { type: 'result', subtype: 'success', session_id: 'sdk-1', result: 'Done.' };
      },
    };
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const place = { project: repository.path, feature: 'auth', task: 'login' };
    await client.call('work/feature/set', { project: repository.path, feature: 'auth' });
    await client.call('work/task/set', place);
    const { session } = await client.call('work/session/open', { ...place, type: 'dev-task' });
    const sessionId = session.session;
    const say = (content: string) => client.call('work/message/add', { sessionId, role: 'user', content });
    const request = async () =>
      (await client.call('work/request', { sessionId, question: 'Go on.' })).systemPrompt;

    const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId: sessionId });
    await say('Right after it was opened.');
    await client.call('ai/session/resume', { chatSessionId: sessionId });
    expect(await request()).toContain('Right after it was opened.');

    const model = { provider: 'agent-sdk', content: 'Answer slowly.' };
    await client.call('ai/session/send', { sessionId: aiSessionId, ...model });
    const id = newEntryId();
    const during = { sessionId, role: 'user', content: 'While it answers.', id } as const;
    expect(await client.call('work/message/add', during)).toMatchObject({ id });
    expect(await client.call('work/message/add', during)).toMatchObject({ id });
    expect((await request()).split('While it answers.')).toHaveLength(2);
    go.resolve();
    await until(async () => (await request()).includes('Done.'));
  });
});

it('compacts a session for its request also right after the server went on with it', async () => {
  using repository = makeRepository();
  await using line = await TRANSPORTS.stdio();
  const { client } = line;
  const place = { project: repository.path, feature: 'auth', task: 'login' };
  await client.call('work/feature/set', { project: repository.path, feature: 'auth' });
  await client.call('work/task/set', place);
  const { session } = await client.call('work/session/open', { ...place, type: 'dev-task' });
  const sessionId = session.session;
  for (let index = 0; index < 30; index++) {
    const content = `${sentence(index)} `.repeat(160);
    const role = index % 2 === 0 ? 'user' : 'assistant';
    await client.call('chat/message/add', { sessionId, role, content });
  }
  await client.call('ai/session/resume', { chatSessionId: sessionId });
  expect(await client.call('chat/compaction/list', { sessionId })).toEqual([]);
  await client.call('work/request', { sessionId, question: 'Go on.' });
  expect(await client.call('chat/compaction/list', { sessionId })).toHaveLength(1);
});

it('sends with a work request what the meter says that a turn of the session sends around its messages', async () => {
  using repository = makeRepository();
  repository.write('AGENTS.md', 'Use tabs, never spaces.');
  await using line = await TRANSPORTS.stdio();
  const { client } = line;
  const project = repository.path;
  await client.call('work/feature/set', { project, feature: 'auth' });
  const place = { project, type: 'pm-feature' as const, feature: 'auth' };
  const { session } = await client.call('work/session/open', place);
  const sessionId = session.session;
  const before = session.tokens.request;
  await client.call('chat/session/update', { sessionId, systemPrompt: 'Answer as a harbour pilot.' });
  await client.call('memory/add', { project, text: 'The ledger is kept in Postgres 16.' });

  const { parts, instructions } = await client.call('chat/context/meter', { sessionId, messages: true });
  const { systemPrompt } = await client.call('work/request', { sessionId, question: 'Go on.' });
  expect(parts.filter(({ tokens }) => tokens > 0).map(({ part }) => part)).toEqual(
    expect.arrayContaining(['system', 'instructions', 'memory']),
  );
  const lines = instructions!.split('\n').filter((text) => text !== '' && text !== '# Project instructions');
  expect(lines).toEqual(
    expect.arrayContaining(['Answer as a harbour pilot.', 'Use tabs, never spaces.', '## Facts']),
  );
  expect(lines.filter((text) => !systemPrompt.includes(text))).toEqual([]);
  const { session: now } = await client.call('work/session/open', place);
  expect(now.tokens.request).toBeGreaterThan(before);
});

it('takes a message while a loop of another process runs in the session, and the loop takes it up', async () => {
  using repository = makeRepository();
  await using line = await TRANSPORTS.stdio();
  const { client, store } = line;
  await using work = await openWork(store, { folder: repository.path });
  await work.setFeature('auth');
  const sessionId = await work.getOrCreateSession('pm-feature', 'auth');
  const requests: string[] = [];
  await work.runLoop(sessionId, {
    prompt: () => 'Make the tests pass.',
    async ask({ systemPrompt }, { iteration }) {
      requests.push(systemPrompt);
      const message = { sessionId, role: 'user', content: 'Mind the second field.' } as const;
      if (iteration === 1)
        expect(await client.call('work/message/add', message)).toMatchObject({ waiting: true });
      return 'I looked at it.';
    },
    check: async ({ iteration }) => ({ passed: [], failed: iteration < 2 ? ['test'] : [] }),
  });
  expect(requests.map((request) => request.includes('Mind the second field.'))).toEqual([false, true]);
});

describe('the documents that requests of work begin with', () => {
  it('are not to be written by a client, and are a host’s in any other session', async () => {
    using repository = makeRepository();
    await using line = await TRANSPORTS.stdio();
    const { client } = line;
    const sessionId = await openFeature(line.client, repository.path);
    const { session: plain } = await client.call('chat/session/create', {});
    for (const id of Object.values(WORK_DOCUMENTS)) {
      const put = (where: string) =>
        client.call('chat/document/put', { sessionId: where, id, title: 'x', content: { tokens: 'abc' } });
      await expect(put(sessionId)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining(`"${id}"`),
      });
      expect((await put(plain.id)).document).toMatchObject({ id });
    }
  });

  it('are made from the project, whatever the log says in their place', async () => {
    using repository = makeRepository();
    await using line = await TRANSPORTS.stdio();
    const { client, store } = line;
    const sessionId = await openFeature(client, repository.path);
    const request = () => client.call('work/request', { sessionId, question: 'Go on.' });
    const { systemPrompt } = await request();
    const { documents } = await client.call('chat/document/list', { sessionId });
    const forged = (content: object) =>
      fc.oneof(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.record(
          Object.fromEntries(
            Object.entries(content).map(([name, value]) => [
              name,
              fc.oneof(fc.constant(value), fc.jsonValue(), fc.constant('Forged.')),
            ]),
          ),
          { requiredKeys: [] },
        ),
      );
    for (const { id, title, content, meta } of documents)
      await fc.assert(
        fc.asyncProperty(forged(content as object), async (given) => {
          const body = { kind: 'document' as const, id, title, content: given, meta: meta ?? {} };
          await store.append(sessionId, [{ body }]);
          expect((await request()).systemPrompt).toBe(systemPrompt);
          const { sessions } = await client.call('work/sessions', {
            project: repository.path,
            feature: 'auth',
          });
          expect(sessions).toMatchObject([{ session: sessionId }]);
        }),
        { numRuns: 40 },
      );
  });
});

async function openFeature(client: RpcClient, project: string): Promise<string> {
  await client.call('work/feature/set', {
    project,
    feature: 'auth',
    name: 'Sign in',
    spec: 'With a password.',
  });
  const place = { project, type: 'pm-feature' as const, feature: 'auth' };
  return (await client.call('work/session/open', place)).session.session;
}
