import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepApproval } from '../../../../src/agent/tools/kept-approvals.ts';
import { createMachine } from '../command-line.ts';

afterEach(() => vi.unstubAllEnvs());

/** `deploy` and `look` were allowed for good, and `drop` in session `one`. */
async function withApprovals() {
  const machine = createMachine();
  vi.stubEnv('HOME', machine.home);
  const agent = path.join(machine.folder, 'ops.mjs');
  writeFileSync(agent, '');
  await machine.session({ id: 'one' }, async (session) => {
    for (const toolName of ['deploy', 'look'])
      await keepApproval(session, { agent, toolName, scope: 'always' });
    await keepApproval(session, { agent, toolName: 'drop', scope: 'session', by: 'ann' });
  });
  const names = async (...args: string[]) =>
    (await machine.json<{ toolName: string }[]>('approvals', ...args)).map(({ toolName }) => toolName);
  return { machine, agent, names };
}

describe('throughline approvals', () => {
  it('lists permissions for good, and permissions in a session', async () => {
    const { machine, agent, names } = await withApprovals();
    using _ = machine;
    expect(await names()).toEqual(['deploy', 'look']);
    expect(await names('--session', 'one')).toEqual(['drop', 'deploy', 'look']);
    expect(await names('--tool', 'look')).toEqual(['look']);
    expect(await names('--agent', path.join(machine.folder, 'other.mjs'))).toEqual([]);
    const { stdout } = await machine.run(['approvals', '--session', 'one']);
    expect(stdout).toContain(`always   deploy  of ${agent}  (allowed `);
    expect(stdout).toMatch(/^session {2}drop {2}of .* by ann\)$/m);
  });

  it('takes back one tool, those of an agent, or all; the others stay', async () => {
    const { machine, agent, names } = await withApprovals();
    using _ = machine;
    expect(await machine.json('approvals', '--revoke', '--tool', 'deploy')).toEqual({ revoked: 1 });
    expect(await names('--session', 'one')).toEqual(['drop', 'look']);
    expect(await machine.json('approvals', '--revoke', '--agent', agent)).toEqual({ revoked: 1 });
    expect(await names('--session', 'one')).toEqual(['drop']);
    const { stdout } = await machine.run(['approvals', '--revoke', '--session', 'one', '--all']);
    expect(stdout).toBe('1 approval in that session taken back: the next call asks.\n');
    expect(await names('--session', 'one')).toEqual([]);
    expect((await machine.run(['approvals'])).stderr).toContain('No tool may run without asking.');
  });

  it('takes nothing back that was not named', async () => {
    const { machine, names } = await withApprovals();
    using _ = machine;
    expect((await machine.run(['approvals', '--revoke'])).code).toBe(2);
    expect(await machine.json('approvals', '--revoke', '--tool', 'nothing')).toEqual({ revoked: 0 });
    expect(await names()).toEqual(['deploy', 'look']);
  });
});
