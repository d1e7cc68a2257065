import { type Command, Option } from 'commander';
import type { ChatOptions } from '../chat/chat.ts';
import { helpExamples } from '../help-text.ts';
import {
  askFirstOption,
  presetOption,
  recallOption,
  summaryModelOption,
  summarySpendOption,
  timeoutOption,
  windowOption,
} from '../parse-option.ts';
import { usageError } from '../usage-error.ts';
import type { GlobalOptions } from '../with-store.ts';

/** The options of a chat; `throughline` alone takes them too. */
export function withChatOptions(command: Command): Command {
  return (
    command
      .addOption(new Option('--new', 'start a new session').conflicts(['continue', 'resume']))
      // What `--new` was called in an older program that people may have in their fingers.
      .addOption(
        new Option('--new-session').conflicts(['continue', 'resume']).implies({ new: true }).hideHelp(),
      )
      .addOption(
        new Option(
          '--continue [session]',
          'go on in the last session of this project, or in the one named',
        ).conflicts('resume'),
      )
      .option(
        '--resume <session>',
        'a new session from the summary of an older one: a number, an id, a .md file',
      )
      .addOption(
        new Option('--fork', 'go on in a fork of it, so that it stays as it is').conflicts(['new', 'resume']),
      )
      .addOption(
        new Option('--read-only', 'only look at it, also while somebody else is writing in it').conflicts([
          'new',
          'resume',
          'fork',
        ]),
      )
      .addOption(
        new Option('--take-over', 'go on in it although somebody else is writing in it').conflicts([
          'new',
          'resume',
          'fork',
          'readOnly',
        ]),
      )
      .option('--agent <file>', 'the agent that answers: a module that exports a name and instructions')
      .option(
        '--model <provider:model>',
        "the model that answers (default: the agent's, the session's, or by your keys)",
      )
      .addOption(presetOption('when and how much is compacted; kept with the session'))
      .addOption(summaryModelOption())
      .addOption(summarySpendOption())
      .addOption(askFirstOption())
      .addOption(windowOption())
      .addOption(recallOption())
      .addOption(timeoutOption())
  );
}

export function addChatCommand(program: Command): void {
  withChatOptions(program.command('chat'))
    .description(
      'Talk to an agent. Goes on with the last session of this project; in a terminal, the same as no command at all.',
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline chat', 'go on where you were'],
        ['throughline chat --new --agent ./sally.ts', 'another conversation, with an agent of your own'],
        ['throughline chat --resume 2', 'a new session from the summary of the second of the last list'],
        ['echo "What is open?" | throughline chat', 'one message a line, plain text'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const { store, json, ...options } = command.optsWithGlobals<GlobalOptions & ChatOptions>();
      if (json) throw usageError('A chat is for people and pipes; "show --json" prints what was said.');
      const { runChat } = await import('../chat/run-chat.ts');
      const presetAsked = command.getOptionValueSource('preset') === 'cli';
      process.exitCode = await runChat(store, { ...options, presetAsked });
      // A signal ended it and everything is written. A tool that does not heed its signal would keep the process.
      if (process.exitCode > 128) process.exit();
    });
}
