import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { giveConsent } from '../../src/agent/index.ts';
import { createSession } from '../../src/index.ts';
import { tempFolder } from '../flows/child.ts';
import { callTool, reply } from '../support/wire-script.ts';
import { hasBrowser, openStage, READER, type Stage, type Window } from './stage.ts';

const HOSTILE = '<img src=x onerror=window.robbed=1>';

describe.skipIf(!hasBrowser)('a tool that needs approval', () => {
  const folder = tempFolder();
  const log = folder.file('ran.txt');
  let stage: Stage;
  let window: Window;
  let count = 0;
  beforeAll(async () => {
    vi.stubEnv('HOME', folder.path);
    const agent = folder.file('agent.mjs');
    writeFileSync(log, '');
    writeFileSync(
      agent,
      `import { appendFileSync } from 'node:fs';
       export const name = 'Carl'; export const instructions = 'Be careful.';
       export const tools = { deploy: {
         description: 'Deploys.', needsApproval: true,
         inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
         execute: ({ command }) => { appendFileSync(${JSON.stringify(log)}, command); return 'Deployed.'; },
       } };`,
    );
    await giveConsent(agent);
    const isAnswered = (body: unknown) => JSON.stringify(body).includes('tool_result');
    stage = await openStage(
      ({ body }) => {
        const { messages } = body as { messages: unknown[] };
        if (!isAnswered(messages.at(-1))) return callTool('deploy', { command: `ship it ${HOSTILE}` });
        return reply(JSON.stringify(messages.at(-1)).includes('Deployed.') ? 'It is out.' : 'Then not.');
      },
      { agents: true },
    );
    for (const id of ['one', 'two', 'three', 'four'])
      await (
        await createSession(stage.store, { id, title: `Ship ${id}`, settings: { agentPath: agent } })
      ).close();
    window = await stage.open();
  }, 60_000);
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    folder[Symbol.dispose]();
  });

  const ran = () => readFileSync(log, 'utf8');
  const card = () => window.page.getByRole('region', { name: 'May deploy run?' });
  const ask = async () => {
    const id = ['one', 'two', 'three', 'four'][count++]!;
    await window.page.evaluate(`location.hash = '#/session/${id}'`);
    await window.page.getByRole('heading', { level: 1, name: `Ship ${id}` }).waitFor();
    await window.page.getByLabel('Message', { exact: true }).fill('Ship it.');
    await window.page.getByLabel('Message', { exact: true }).press('Enter');
    await card().waitFor();
    return id;
  };

  it('says what it is given, and runs when it is allowed', async () => {
    await ask();
    expect(await card().locator('pre').textContent()).toContain(HOSTILE);
    expect(await card().textContent()).toMatch(/Without an answer by \d\d:\d\d it is not run/);
    expect(ran()).toBe('');
    await window.page.locator('.tool-line').getByText('waiting').waitFor();
    await card().getByRole('button', { name: 'Allow', exact: true }).click();
    await window.page.getByText('It is out.').waitFor();
    expect(ran()).toBe(`ship it ${HOSTILE}`);
    await expect.poll(() => card().count()).toBe(0);
  });

  it('does not run when it is denied', async () => {
    writeFileSync(log, '');
    await ask();
    await card().getByRole('button', { name: 'Deny' }).press('Enter');
    await window.page.getByText('Then not.').waitFor();
    expect(ran()).toBe('');
    await expect.poll(() => card().count()).toBe(0);
  });

  it('is asked again in a new window, and a reader gets no buttons', async () => {
    const id = await ask();
    await window.page.reload();
    await card().waitFor();
    const reader = await stage.open(id, { token: READER });
    const shown = reader.page.getByRole('region', { name: 'May deploy run?' });
    await shown.getByText('You may read here, and not answer.').waitFor();
    expect(await shown.getByRole('button').count()).toBe(0);
    await card().getByRole('button', { name: 'Allow', exact: true }).click();
    await window.page.getByText('It is out.').waitFor();
    await expect.poll(() => shown.count()).toBe(0);
    expect(await window.page.evaluate('window.robbed')).toBeUndefined();
    expect([...window.complaints, ...reader.complaints]).toEqual([]);
    await reader.close();
  });

  it('is not asked about again when it was allowed for the session', async () => {
    writeFileSync(log, '');
    await ask();
    await card().getByRole('button', { name: 'Allow in this session' }).click();
    await window.page.getByText('It is out.').waitFor();
    await window.page.getByLabel('Message', { exact: true }).fill('Ship it again.');
    await window.page.getByLabel('Message', { exact: true }).press('Enter');
    await expect.poll(() => window.page.getByText('It is out.').count()).toBe(2);
    await expect.poll(() => card().count()).toBe(0);
    expect(ran()).toBe(`ship it ${HOSTILE}`.repeat(2));
  });
});
