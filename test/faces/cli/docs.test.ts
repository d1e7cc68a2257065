import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/errors.ts';
import { createProgram } from '../../../src/faces/cli/create-program.ts';
import { EXIT_CODES } from '../../../src/faces/cli/exit-codes.ts';
import { createMachine } from './command-line.ts';

const CLI = 'docs/cli.md';
const ERRORS = 'docs/errors.md';

/** A page by its second-level headings. */
function sections(file: string): Map<string, string> {
  const [, ...parts] = readFileSync(file, 'utf8').split(/^## /m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))]));
}

/** Exactly what `--help` prints in a pipe. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (words) => {
      text += words;
    },
    getOutHelpWidth: () => 80,
  });
  command.outputHelp();
  return text.trimEnd();
}

const program = await createProgram();
const commands = [program, ...program.commands];
const nameOf = (command: Command) => (command === program ? 'throughline' : `throughline ${command.name()}`);

const HELP = /```text\n.*?```/s;

/** `UPDATE_DOCS=1 npx vitest run test/faces/cli/docs.test.ts` puts the help of today into the page. */
if (process.env.UPDATE_DOCS === '1') {
  const page = readFileSync(CLI, 'utf8')
    .split(/^(?=## )/m)
    .map((part) => {
      const command = commands.find((each) => part.startsWith(`## ${nameOf(each)}\n`));
      return command ? part.replace(HELP, () => `\`\`\`text\n${helpOf(command)}\n\`\`\``) : part;
    });
  writeFileSync(CLI, page.join(''));
}

describe(CLI, () => {
  const page = sections(CLI);

  it.each(commands.map((command) => [nameOf(command), command] as const))(
    'has the help of %s',
    (name, command) => {
      expect(HELP.exec(page.get(name) ?? '')?.[0]).toBe(`\`\`\`text\n${helpOf(command)}\n\`\`\``);
    },
  );

  it('describes no command that does not exist', () => {
    const described = [...page.keys()].filter((heading) => heading.startsWith('throughline'));
    expect(described.sort()).toEqual(commands.map(nameOf).sort());
  });

  it('has what the command itself prints', async () => {
    using machine = createMachine();
    const { stdout } = await machine.runBare(['show', '--help']);
    expect(page.get('throughline show')).toContain(stdout.trimEnd());
  });

  it.each(program.commands.map((command) => [command.name(), command] as const))(
    '%s has examples',
    (name, command) => {
      if (name !== 'overview') expect(helpOf(command)).toMatch(/Examples:\n {2}\$ throughline/);
    },
  );
});

describe(ERRORS, () => {
  const page = sections(ERRORS);

  it.each(ERROR_CODES)('says when %s happens, what to do, and its exit code', (code) => {
    const text = page.get(code) ?? '';
    expect(text).toMatch(new RegExp(`^\\s+Exit code ${EXIT_CODES[code]}\\.`));
    expect(text.length).toBeGreaterThan(100);
  });

  it('has no code that does not exist', () => {
    expect(
      [...page.keys()].filter((heading) => !(ERROR_CODES as readonly string[]).includes(heading)),
    ).toEqual([]);
  });
});
