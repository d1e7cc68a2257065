import { type Command, CommanderError } from 'commander';
import { findCommand, nameOfCommand } from './find-command.ts';
import { usageError } from './usage-error.ts';

/** What people who know the chat type in a shell, and what does the same there. */
const OF_THE_CHAT: Readonly<Record<string, string>> = {
  continue: 'throughline chat --continue <session>',
  new: 'throughline chat --new',
  cost: 'throughline chat, then "cost"',
  retry: 'throughline chat, then "retry"',
};

/** What the parser says of a word that is no command, where more can be said than that it is one too many. */
export function explainUsage(error: unknown, program: Command, words: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  const command = findCommand(program, words);
  if (error.code === 'commander.unknownCommand') {
    const word = words.find((one) => Object.hasOwn(OF_THE_CHAT, one));
    return word === undefined
      ? error
      : usageError(`"${word}" is a command of the chat. In a shell it is: ${OF_THE_CHAT[word]}`);
  }
  if (error.code !== 'commander.excessArguments' || command.commands.length === 0) return error;
  const name = nameOfCommand(command);
  const names = command.commands.map((one) => one.name()).join(', ');
  return usageError(
    `There is no command "${name} ${command.args[0]}". Behind "${name}" goes nothing, or one of ${names}. See "throughline help ${name}".`,
  );
}
