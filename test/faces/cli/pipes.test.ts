import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { user } from '../../../src/testing/index.ts';
import { createMachine, type Machine } from './command-line.ts';

/** Reads the first line, then closes the pipe, as `head -1` does. */
async function runAndHangUp(args: readonly string[], machine: Machine) {
  const child = spawn(process.execPath, ['dist/faces/cli/main.js', ...args, '--store', machine.storeFile], {
    env: { PATH: process.env.PATH, HOME: machine.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, stderr };
}

describe('pipes', () => {
  it.each([[['show', 'long']], [['show', 'long', '--json']]])(
    '%j ends quietly when its reader has seen enough',
    async (args) => {
      using machine = createMachine();
      await machine.session({ id: 'long' }, (session) =>
        session.append(Array.from({ length: 2000 }, (_, i) => user(`${i} ${'word '.repeat(100)}`))),
      );
      expect(await runAndHangUp(args, machine)).toEqual({ code: 0, stderr: '' });
      // The store was closed properly on the way out.
      expect(existsSync(`${machine.storeFile}-wal`)).toBe(false);
    },
  );

  it('carry results only: notes go to stderr', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    await machine.session({ id: 'two' });
    await machine.run(['hide', 'two']);
    const { stdout, stderr } = await machine.run(['sessions']);
    expect(stdout).not.toContain('hidden');
    expect(stderr).toContain('1 hidden is not shown');
  });

  it.skipIf(!existsSync('/dev/full'))('that cannot be written to are an error, not a silence', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one', title: 'One' });
    const child = spawn(
      process.execPath,
      ['dist/faces/cli/main.js', 'sessions', '--store', machine.storeFile],
      {
        stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      },
    );
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
    expect(stderr).toContain('The output could not be written');
  });
});
