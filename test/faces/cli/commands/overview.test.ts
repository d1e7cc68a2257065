import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { user } from '../../../../src/testing/index.ts';
import { createMachine, runNode } from '../command-line.ts';

describe('throughline without a command', () => {
  it('tells a newcomer what this is and how to begin', async () => {
    using machine = createMachine();
    const { stdout, code } = await machine.runBare([]);
    expect(stdout).toContain('durable sessions for AI agents');
    expect(stdout).toContain('.throughline/throughline.db (in your home folder)');
    expect(stdout).toContain('Sessions  none yet');
    expect(stdout).toContain("import { createSession, openStore } from 'throughline';");
    expect(stdout).toMatch(/^ {2}sessions +List sessions, newest first\./m);
    expect(code).toBe(0);
  });

  it('talks with whatever is piped in, one message a line', async () => {
    using machine = createMachine();
    const { stdout, code } = await machine.run([], {
      input: 'The bridge opens in May.\nWhen does the bridge open?\n',
    });
    expect(stdout).toContain('The bridge opens in May.');
    expect(stdout).not.toContain('durable sessions');
    expect(code).toBe(0);
    expect(await machine.json('sessions')).toMatchObject([{ queries: 2, messages: 4 }]);
  });

  it.each(['--new', '--new-session'])('talks in another session with %s', async (flag) => {
    using machine = createMachine();
    await machine.run([], { input: 'One.\n' });
    await machine.run([flag], { input: 'Two.\n' });
    expect(await machine.json('sessions')).toHaveLength(2);
  });

  it('shows a newcomer a program that runs', async () => {
    using machine = createMachine();
    const { stdout } = await machine.run([]);
    const lines = stdout.split('\n').filter((line) => /^ {2}(?:import \{|await| {2}\{|\])/.test(line));
    const program = lines.join('\n').replace("'throughline'", `'${path.resolve('src/index.ts')}'`);
    const ran = await runNode(process.execPath, ['--input-type=module', '-e', program], {
      env: { THROUGHLINE_STORE: machine.storeFile },
    });
    expect(ran).toMatchObject({ stderr: '', code: 0 });
    expect(await machine.json('sessions')).toMatchObject([{ title: 'Hello', messages: 1 }]);
  });

  it('shows the newest three, numbered for the next command', async () => {
    using machine = createMachine();
    for (const id of ['one', 'two', 'three', 'four']) {
      await machine.session({ id }, (session) => session.append([user(`About ${id}`)]));
    }
    await machine.run(['hide', 'one']);
    const { stdout } = await machine.run([]);
    expect(stdout).toContain('Sessions  3 sessions, 1 hidden');
    expect(stdout.match(/About \w+/g)).toEqual(['About four', 'About three', 'About two']);
    expect(stdout).not.toContain('import {');
    expect(await machine.json('show', '2')).toMatchObject({ session: { id: 'three' } });
  });

  it('prints the same as JSON', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    expect(await machine.json()).toMatchObject({
      store: machine.storeFile,
      exists: true,
      counts: { active: 1, archived: 0, trashed: 0 },
      newest: [{ id: 'one' }],
      commands: expect.arrayContaining(['sessions', 'show', 'doctor']),
    });
  });

  it('still explains itself with --help, and says its version', async () => {
    using machine = createMachine();
    for (const args of [['--help'], ['help'], ['-h']]) {
      expect((await machine.runBare(args)).stdout).toMatch(/^Usage: throughline \[options\] \[command\]/);
    }
    expect((await machine.runBare(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
