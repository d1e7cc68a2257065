import type { Command } from 'commander';
import { findCommand, nameOfCommand } from './find-command.ts';
import { usageError } from './usage-error.ts';

/**
 * Answers `help memory add`. The parser's own help goes one word deep and takes a word that it does not know for none.
 * Does nothing if something else is asked.
 */
export function showHelp(program: Command, argv: readonly string[]): void {
  const [first, ...rest] = argv;
  const option = rest.findIndex((word) => word.startsWith('-'));
  const words = option < 0 ? rest : rest.slice(0, option);
  if (first !== 'help' || words.length === 0 || words[0] === 'help') return;
  const command = findCommand(program, words);
  const known = nameOfCommand(command);
  const asked = words.join(' ');
  if (known !== asked && command.commands.length + (command === program ? 1 : 0) > 0)
    throw usageError(`There is no command "${asked}". See "throughline help${known && ` ${known}`}".`);
  command.help();
}
