import { writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { giveConsent } from '../../../src/agent/index.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { turnsFor } from '../../../src/operations/runs/turns-for.ts';
import { createSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { reply, replyObject } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { talk } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('the server runs a module that a session names only after a person agreed to it', async () => {
  using folder = tempFolder();
  vi.stubEnv('HOME', folder.path);
  const file = folder.file('sally.mjs');
  writeFileSync(
    file,
    `globalThis.ranSally = true; export const name = 'Sally'; export const instructions = '';`,
  );
  const notices: string[] = [];
  await using service = createService({
    store: createMemoryStore(),
    env: {},
    agents: true,
    onNotice: (line) => notices.push(line),
  });
  await using session = await createSession(service.store, { settings: { agentPath: file } });
  expect((await turnsFor(service, {})(session).prepare()).options.agent).toBeUndefined();
  expect(globalThis).not.toHaveProperty('ranSally');
  expect(notices).toEqual([expect.stringContaining(`names a module to run: ${file}.`)]);
  expect(notices[0]).toContain('--agent <file>');
  await giveConsent(file);
  expect((await turnsFor(service, {})(session).prepare()).options.agent).toMatchObject({ name: 'Sally' });
  expect(notices).toHaveLength(1);
});

it('an AI session that is opened on a session announces the model that its agent answers with', async () => {
  using folder = tempFolder();
  vi.stubEnv('HOME', folder.path);
  const file = folder.file('sally.mjs');
  writeFileSync(
    file,
    `export const name = 'Sally'; export const instructions = ''; export const model = 'compatible:of-sally';`,
  );
  await giveConsent(file);
  await using model = await startWireServer('openai-chat', [reply('Hello.')]);
  await using line = await TRANSPORTS.http({ env: model.env, agents: true });
  await (await createSession(line.store, { id: 's', settings: { agentPath: file } })).close();
  const { client } = line;
  const meter = await client.call('chat/context/meter', { sessionId: 's' });
  const { aiSessionId, ...opened } = await client.call('ai/session/create', { chatSessionId: 's' });
  const sent = await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hi', wait: true });
  expect(sent.turn).toMatchObject({ status: 'complete', model: 'compatible:of-sally' });
  expect(`${opened.provider}:${opened.model}`).toBe(sent.turn!.model);
  expect(meter.answeredBy).toBe(sent.turn!.model);
});

it.each([
  ['broken', { source: 'export const name = 7;', agents: true, why: ', which cannot be used here' }],
  [
    'not run by the server',
    {
      source: `export const name = 'Sally'; export const instructions = 'Rhyme.';`,
      agents: false,
      why: '; agent modules are not run here',
    },
  ],
])(
  'a session whose agent module is %s goes on without it, as the meter foretells, and every result says why',
  async (_, { source, agents, why }) => {
    using folder = tempFolder();
    vi.stubEnv('HOME', folder.path);
    const file = folder.file('sally.mjs');
    writeFileSync(file, source);
    await giveConsent(file);
    await using model = await startWireServer('openai-chat', [reply('Hello.')]);
    await using line = await TRANSPORTS.http({ env: model.env, agents });
    await (await createSession(line.store, { id: 's', settings: { agentPath: file } })).close();
    const { client } = line;
    const agentProblem = expect.stringContaining(`created with ${file}${why}`);
    const meter = await client.call('chat/context/meter', { sessionId: 's', question: 'Hi', messages: true });
    const resumed = await client.call('ai/session/resume', { chatSessionId: 's' });
    const { aiSessionId } = resumed;
    const sent = await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hi', wait: true });
    for (const result of [meter, resumed, sent]) expect(result).toMatchObject({ agentProblem });
    expect(sent.turn).toMatchObject({ status: 'complete' });
    const then = await client.call('chat/context/meter', { sessionId: 's', at: 2, messages: true });
    expect([then.tokens, then.messages]).toEqual([meter.tokens, meter.messages]);
  },
);

const LISTS = { topics: [], decisions: [], completed: [], pending: [], blockers: [], facts: [] };

it.each([
  ['by the model of its agent', `export const model = 'compatible:of-sally';`, 'compatible:of-sally'],
  [
    'by the model that answers in its place where its agent is broken',
    'export const tools = 1;',
    'compatible:wire-model',
  ],
])('a session is compacted %s', async (_, rest, by) => {
  using folder = tempFolder();
  vi.stubEnv('HOME', folder.path);
  const file = folder.file('sally.mjs');
  writeFileSync(file, `export const name = 'Sally'; export const instructions = ''; ${rest}`);
  await giveConsent(file);
  const record = replyObject({ background: '', overview: 'Numbers were talked about.', ...LISTS });
  await using model = await startWireServer('openai-chat', () => record);
  await using line = await TRANSPORTS.http({ env: model.env, agents: true });
  const { id } = await talk(line.client, 20);
  await line.store.append(id, [{ body: { kind: 'setting', name: 'agentPath', value: file, by: 'user' } }]);
  const compacted = await line.client.call('ai/context/compact', { chatSessionId: id, keepRecentCount: 4 });
  expect(JSON.stringify(compacted.by)).toContain(by);
  expect(model.requests.map(({ body }) => `compatible:${(body as { model: string }).model}`)).toEqual([by]);
});
