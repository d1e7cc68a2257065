import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { thisShell } from '../../../src/faces/cli/this-shell.ts';
import { createChatPlace, PROGRAM } from '../../flows/chat-place.ts';
import { HAS_TERMINAL } from '../../flows/chat-terminal.ts';

const stat = (terminal: number, session = 4711) => `812 (node (x) y) S 800 812 ${session} ${terminal} 812 0`;

describe('the shell that asks', () => {
  it('is its terminal and the session in it, with any processes in between', () => {
    const env = { THROUGHLINE_SHELL_PID: '99' };
    expect(thisShell({ stat: stat(34816), env })).toBe('34816/4711');
    expect(thisShell({ stat: stat(34817), env })).not.toBe(thisShell({ stat: stat(34816), env }));
    expect(thisShell({ stat: stat(34816, 5), env })).not.toBe(thisShell({ stat: stat(34816), env }));
  });

  it.each(['', stat(0)])('without a terminal is the calling process: %j', (given) => {
    expect(thisShell({ stat: given, env: { THROUGHLINE_SHELL_PID: '99' } })).toBe('99');
    expect(thisShell({ stat: given, env: {} })).toBe(String(process.ppid));
  });

  it.runIf(HAS_TERMINAL)('means its own list behind another program too', async () => {
    using place = createChatPlace();
    for (const word of ['first', 'second']) await place.talk([word, 'exit'], { args: ['--new'] });
    const [newest, older] = await place.sessions();
    const program = `'${process.execPath}' '${PROGRAM}'`;
    const show = (number: number) => `${program} show ${number} --json | grep -m1 '"id"'`;
    const commands = [
      `${program} sessions >/dev/null`,
      // Another shell, without a terminal, that shows another list.
      `setsid -w ${program} title ${older!.id} renamed >/dev/null`,
      `setsid -w ${program} sessions --limit 1 >/dev/null`,
      `timeout 60 ${show(2)}`,
      `sh -c "true; ${show(1).replaceAll('"', '\\"')}; true"`,
    ];
    const { stdout } = spawnSync('script', ['-qec', commands.join('; '), '/dev/null'], {
      cwd: place.folder,
      env: { ...place.env, SHELL: '/bin/sh' },
      encoding: 'utf8',
    });
    expect(stdout.match(/session_\w+/g)).toEqual([older!.id, newest!.id]);
  });
});
