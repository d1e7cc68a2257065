import { describe, expect, it } from 'vitest';
import { createProgram, withDefaultCommand } from '../../../src/faces/cli/create-program.ts';

const namesFor = async (...argv: string[]) =>
  (await createProgram(argv)).commands.map((command) => command.name()).filter((name) => name !== 'help');

describe('the command that is called', () => {
  it.each([
    { argv: ['sessions'], name: 'sessions' },
    { argv: ['--json', 'sessions', '--find', 'chat'], name: 'sessions' },
    { argv: ['--store', 'show', 'context', 'one'], name: 'context' },
    { argv: ['compact-file', '--help'], name: 'compact-file' },
    { argv: ['collapse', 'one'], name: 'collapse' },
  ])('of $argv is $name, and no other is loaded', async ({ argv, name }) => {
    expect(await namesFor(...argv)).toEqual([name]);
    expect(await withDefaultCommand(argv)).toEqual(argv);
  });

  it.each([
    [[]],
    [['--help']],
    [['help', 'sessions']],
    [['sesions']],
    [['--model', 'sessions']],
    [['constructor']],
  ])('of %j is not said, so all are known', async (argv) => {
    const names = await namesFor(...argv);
    expect(names).toEqual(await namesFor());
    expect(names.length).toBeGreaterThan(30);
  });
});
