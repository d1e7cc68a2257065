import { describe, expect, it } from 'vitest';
import { newEntryId } from '../../src/record/index.ts';
import type { AgentSdk } from '../../src/rpc/index.ts';
import { makeRepository } from '../work/workshop.ts';
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
  it('takes messages and requests of work meanwhile', async () => {
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
