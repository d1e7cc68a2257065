import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDead, thisProcess } from '../../src/session/process-identity.ts';

const linux = process.platform === 'linux';

/** A process that runs until it is killed, and the first line it prints. */
async function start(script: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return { child, line };
}

/** State and start of a process, as the kernel tells them. */
function statOf(pid: number): { state: string; startedAt: string } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return { state: fields[0]!, startedAt: fields[19]! };
}

describe('the owner of a lease', () => {
  it('is this process, with what others need to ask about it', () => {
    const owner = thisProcess('editor');
    expect(owner).toMatchObject({ name: 'editor', pid: process.pid });
    expect(owner.host).not.toBe('');
    expect(isDead(owner)).toBe(false);
    expect(isDead(JSON.parse(JSON.stringify(owner)))).toBe(false);
  });

  it('is alive while its process runs, and dead once that has ended', async () => {
    const { child } = await start('echo ready; exec sleep 1000');
    const owner = { ...thisProcess('child'), pid: child.pid!, ...(linux && statOf(child.pid!)) };
    expect(isDead(owner)).toBe(false);
    child.kill('SIGSTOP');
    expect(isDead(owner)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isDead(owner)).toBe(true);
  });

  it.runIf(linux)('is dead when its process number belongs to another process now', () => {
    expect(isDead({ ...thisProcess('before'), startedAt: '1' })).toBe(true);
  });

  it.runIf(linux)('is dead when its process has ended, even without a wait for it', async () => {
    // The shell becomes a process that never asks after its child, which so stays a zombie.
    const { line } = await start('sleep 0.2 & echo $!; exec sleep 1000');
    const pid = Number(line);
    const owner = { ...thisProcess('zombie'), pid, startedAt: statOf(pid).startedAt };
    await expect.poll(() => statOf(pid).state, { timeout: 20_000 }).toBe('Z');
    expect(isDead(owner)).toBe(true);
  });

  it('is not known to be dead when it is on another machine', () => {
    const owner = { ...thisProcess('far away'), pid: 4_194_000, startedAt: '1' };
    expect(isDead({ ...owner, host: owner.host.replace(/^[^/]*/, 'elsewhere') })).toBe(false);
    expect(isDead(owner)).toBe(true);
  });

  it('is not known to be dead when its number was given in another container', () => {
    const owner = { ...thisProcess('in a box'), pid: 4_194_000, startedAt: '1' };
    expect(isDead({ ...owner, host: owner.host.replace(/[^/]*$/, '4026599999') })).toBe(false);
  });

  it('is dead when the machine was started anew since', () => {
    const owner = thisProcess('before the restart');
    expect(isDead({ ...owner, host: `${owner.host.split('/')[0]}/an-earlier-boot/1` })).toBe(true);
  });
});
