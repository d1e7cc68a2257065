import { writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { turnsFor } from '../../src/operations/runs/turns-for.ts';
import { createService } from '../../src/rpc/service.ts';
import { giveConsent } from '../../src/run/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { tempFolder } from '../flows/child.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
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
  const { aiSessionId, ...opened } = await client.call('ai/session/create', { chatSessionId: 's' });
  const sent = await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Hi', wait: true });
  expect(sent.turn).toMatchObject({ status: 'complete', model: 'compatible:of-sally' });
  expect(`${opened.provider}:${opened.model}`).toBe(sent.turn!.model);
});
