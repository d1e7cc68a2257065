import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { longPi } from '../../../transcripts/shorten/long-files.ts';
import { createMachine, type Machine } from '../command-line.ts';

/** A pi that adds a question to the file it is given, unless it is told to write nothing, and ends as it is asked to. */
const PI = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const [, , , file, , words] = process.argv;
const last = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\\n').at(-1));
const message = { role: 'user', content: [{ type: 'text', text: words }] };
const record = { type: 'message', id: words.slice(0, 8).padEnd(8, '0'), parentId: last.id, timestamp: last.timestamp, message };
if (words !== 'Nothing.') appendFileSync(file, JSON.stringify(record) + '\\n');
console.log('pi is at it');
if (words === 'Wait here.') setInterval(() => {}, 1000);
process.exitCode = words === 'Fail now.' ? 7 : 0;
`;

function prepare(machine: Machine) {
  const { folder, home } = machine;
  execFileSync('git', ['init', '--quiet', folder]);
  const bin = path.join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'pi'), PI);
  chmodSync(path.join(bin, 'pi'), 0o755);
  writeFileSync(path.join(folder, 'talk.jsonl'), longPi({ turns: 60 }));
  const env = { PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  const args = (words: string) =>
    ['resume', '--store', machine.storeFile, '--', 'pi', '--session', 'talk.jsonl', '-p', words] as const;
  const sessions = () =>
    machine.json<{ id: string; messages: number; relation: string | null }[]>('sessions');
  return { env, args, sessions };
}

describe('throughline resume -- pi', () => {
  it('shortens, runs and imports, again and again, into one session', async () => {
    using machine = createMachine();
    const { env, args, sessions } = prepare(machine);
    await machine.run(['import', 'talk.jsonl']);
    const [before] = await sessions();
    const first = await machine.runBare(args('Go on.'), { env });
    expect([first.code, first.stdout]).toEqual([0, 'pi is at it\n']);
    expect(first.stderr).toContain('Session compressed');
    const second = await machine.runBare(args('And then.'), { env });
    expect(second.stderr).toContain('left alone: it is short enough');
    expect(await sessions()).toMatchObject([
      { id: before!.id, messages: before!.messages + 2, relation: null },
    ]);
  });

  it('says that nothing was checked where the file is not there, and runs the command', async () => {
    using machine = createMachine();
    const command = [process.execPath, '-e', 'console.log("ran")', 'nope.jsonl'];
    const ran = await machine.runBare(['resume', '--store', machine.storeFile, '--', ...command]);
    expect([ran.code, ran.stdout]).toEqual([0, 'ran\n']);
    expect(ran.stderr).toMatch(/There is no file .*nope\.jsonl yet, so nothing was checked\./);
  });

  it.each([
    ['the shortening fails in a way that is not foreseen', 'exit 3', /Not shortened: git .* failed/],
    [
      'the disk refuses the archive',
      'echo "fatal: No space left on device" >&2; exit 128',
      /Not shortened: The archive cannot be written/,
    ],
  ])('runs the command also where %s', async (_, git, says) => {
    using machine = createMachine();
    const { env, args } = prepare(machine);
    writeFileSync(path.join(machine.home, 'bin', 'git'), `#!/bin/sh\n${git}\n`, { mode: 0o755 });
    const before = readFileSync(path.join(machine.folder, 'talk.jsonl'), 'utf8');
    const ran = await machine.runBare(args('Go on.'), { env });
    expect([ran.code, ran.stdout]).toEqual([0, 'pi is at it\n']);
    expect(ran.stderr).toMatch(says);
    expect(readFileSync(path.join(machine.folder, 'talk.jsonl'), 'utf8').startsWith(before)).toBe(true);
  });

  it('runs the command and gives its exit code where the store cannot be written', async () => {
    using machine = createMachine();
    const { env, args } = prepare(machine);
    writeFileSync(machine.storeFile, 'no store at all, but something else '.repeat(100));
    const ran = await machine.runBare(args('Fail now.'), { env });
    expect([ran.code, ran.stdout]).toEqual([7, 'pi is at it\n']);
    expect(ran.stderr).toContain('Not imported:');
  });

  it('gives the exit code of a command that fails, and imports what it wrote', async () => {
    using machine = createMachine();
    const { env, args, sessions } = prepare(machine);
    const ran = await machine.runBare(args('Fail now.'), { env });
    expect(ran.code).toBe(7);
    expect(ran.stderr).toContain('1 session, ');
    expect(await sessions()).toHaveLength(1);
  });

  it('says that there is nothing new when the command wrote nothing', async () => {
    using machine = createMachine();
    const { env, args } = prepare(machine);
    await machine.runBare(args('Nothing.'), { env });
    const again = await machine.runBare(args('Nothing.'), { env });
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('0 new entries')]);
  });

  it('hands a signal on to the command, and imports what it wrote until then', async () => {
    using machine = createMachine();
    const { env, args, sessions } = prepare(machine);
    const child = spawn(process.execPath, [path.resolve('dist/faces/cli/main.js'), ...args('Wait here.')], {
      cwd: machine.folder,
      env: { ...env, HOME: machine.home },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    expect(await sessions()).toHaveLength(1);
  });

  it('says that a command cannot be run', async () => {
    using machine = createMachine();
    prepare(machine);
    const ran = await machine.run(['resume', '--', 'no-such-agent', '--session', 'talk.jsonl']);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('no-such-agent cannot be run')]);
  });
});
