import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AgentTool,
  type Approval,
  giveConsent,
  type LoadedAgent,
  listApprovals,
  readConsent,
  revokeAlways,
  revokeInSession,
  runTurn,
} from '../../src/agent/index.ts';
import { createSession, forkSession, openSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { scriptedModel } from './scripted-model.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'throughline-approvals-'));
  vi.stubEnv('HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** An agent as it is loaded from a file, with one tool. */
function agentAt(
  name: string,
  needsApproval: AgentTool['needsApproval'] = true,
): LoadedAgent & { ran: () => number } {
  const file = path.join(home, name);
  writeFileSync(file, '');
  let ran = 0;
  const deploy: AgentTool = { inputSchema: { type: 'object' }, needsApproval, execute: () => ++ran };
  return { name, instructions: '', path: file, tools: { deploy }, ran: () => ran };
}

/** One turn that calls the tool; gives what was asked. */
async function deploy(session: Session, agent: LoadedAgent, answer: Approval | undefined) {
  const asked: (readonly string[])[] = [];
  await runTurn(session, 'Deploy it.', {
    model: scriptedModel([
      { calls: [{ id: `c${Math.random()}`, name: 'deploy', input: { to: 'x' } }] },
      { text: 'Done.' },
    ]),
    agent,
    ...(answer !== undefined && {
      approve: ({ scopes }) => {
        asked.push(scopes);
        return answer;
      },
    }),
  });
  return asked;
}

const session = { approved: true, scope: 'session' } as const;
const always = { approved: true, scope: 'always' } as const;

describe('a tool that is allowed for the session', () => {
  it('is not asked about again there, also after a restart and without a terminal', async () => {
    await using store = createMemoryStore();
    const agent = agentAt('carl.mjs');
    await using first = await createSession(store, { id: 's' });
    expect(await deploy(first, agent, session)).toEqual([['once', 'session', 'always']]);
    await first.close();
    await using again = await openSession(store, 's');
    expect(await deploy(again, agent, false)).toEqual([]);
    await deploy(again, agent, undefined);
    expect(agent.ran()).toBe(3);
    expect(await listApprovals(again.info)).toEqual([
      { scope: 'session', toolName: 'deploy', agent: agent.path, at: expect.any(Number) },
    ]);
    expect(await revokeInSession(store, await again.refresh(), { toolName: 'deploy' })).toBe(1);
    expect(await deploy(again, agent, false)).toHaveLength(1);
    expect(agent.ran()).toBe(3);
  });

  it('is asked about in another session, in a fork, and for the same name in another module', async () => {
    await using store = createMemoryStore();
    const agent = agentAt('carl.mjs');
    await using first = await createSession(store, { id: 's' });
    await deploy(first, agent, session);
    await forkSession(store, first.info, { id: 'fork' });
    for (const id of ['fork', 'other']) {
      await using another = id === 'fork' ? await openSession(store, id) : await createSession(store, { id });
      expect(await deploy(another, agent, false)).toHaveLength(1);
      expect(await listApprovals(another.info)).toEqual([]);
    }
    expect(await deploy(first, agentAt('other.mjs'), false)).toHaveLength(1);
    expect(agent.ran()).toBe(1);
  });

  it('is not allowed by a setting that came with the store from somewhere else', async () => {
    await using store = createMemoryStore();
    const agent = agentAt('carl.mjs');
    await using theirs = await createSession(store, { id: 's' });
    await deploy(theirs, agent, session);
    const setting = theirs.info.state.settings.approvedTools;
    expect(setting).toMatchObject([{ toolName: 'deploy' }]);
    // Another person's machine: the same store, another home.
    rmSync(path.join(home, '.throughline'), { recursive: true });
    expect(await deploy(theirs, agent, false)).toHaveLength(1);
    for (const value of [
      [{ agent: agent.path, toolName: 'deploy', at: 1, seal: 'x' }],
      ['deploy'],
      'deploy',
      true,
    ]) {
      await theirs.append([{ kind: 'setting', name: 'approvedTools', value, by: 'host' }]);
      expect(await deploy(theirs, agent, false)).toHaveLength(1);
    }
    expect(agent.ran()).toBe(1);
  });
});

describe('a tool that is allowed for good', () => {
  it('is asked about nowhere, until that is taken back', async () => {
    await using store = createMemoryStore();
    const agent = agentAt('carl.mjs');
    await giveConsent(agent.path);
    await using first = await createSession(store, { id: 's' });
    await deploy(first, agent, always);
    await using second = await createSession(store, { id: 'other' });
    expect(await deploy(second, agent, false)).toEqual([]);
    expect(await deploy(second, agentAt('other.mjs'), false)).toHaveLength(1);
    expect(await listApprovals()).toEqual([
      { scope: 'always', toolName: 'deploy', agent: agent.path, at: expect.any(Number) },
    ]);
    expect(statSync(path.join(home, '.throughline', 'agents.jsonl')).mode & 0o777).toBe(0o600);
    expect(await revokeAlways({ agent: path.join(home, 'other.mjs') })).toBe(0);
    expect(await revokeAlways({ toolName: 'deploy' })).toBe(1);
    expect(await deploy(second, agent, false)).toHaveLength(1);
    // The module itself may still be run.
    expect(await readConsent(agent.path)).toBe('given');
    await deploy(second, agent, always);
    expect(await listApprovals()).toHaveLength(1);
  });
});

describe('only once', () => {
  it.each([
    ['a tool that asks every time', 'every-time'],
    ['a tool whose function says so', () => 'every-time'],
    ['a tool that says it in a word that means nothing', 'evrytime'],
    ['a tool that says it by a number', 1],
    ['a tool whose function says it in a word that means nothing', async () => 'yes'],
  ])('may %s be allowed', async (_, needsApproval) => {
    await using store = createMemoryStore();
    const agent = agentAt('carl.mjs', needsApproval as AgentTool['needsApproval']);
    await using here = await createSession(store, { id: 's' });
    expect(await deploy(here, agent, session)).toEqual([['once']]);
    expect(await deploy(here, agent, always)).toEqual([['once']]);
    expect(await deploy(here, agent, false)).toEqual([['once']]);
    expect(await listApprovals(here.info)).toEqual([]);
  });

  it('may a tool that comes from no module be allowed', async () => {
    await using store = createMemoryStore();
    const { tools } = agentAt('carl.mjs');
    await using here = await createSession(store, { id: 's' });
    expect(await deploy(here, { name: 'Carl', instructions: '', tools } as LoadedAgent, session)).toEqual([
      ['once'],
    ]);
    expect(await deploy(here, { name: 'Carl', instructions: '', tools } as LoadedAgent, false)).toHaveLength(
      1,
    );
  });
});
