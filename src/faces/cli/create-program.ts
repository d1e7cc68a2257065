import { readFileSync } from 'node:fs';
import { Command, CommanderError, type ParseOptionsResult } from 'commander';
import { packageFile } from '../../tokens/index.ts';
import { addCommands, isCommand } from './command-list.ts';
import { firstSentence } from './help-text.ts';

/**
 * The command line, ready to parse: the command that `argv` names, or all of them if it names none. Failures are thrown,
 * never printed: `printError` says them once.
 */
export async function createProgram(argv: readonly string[] = []): Promise<Command> {
  const program = withGlobalOptions(new Command('throughline'))
    .description(
      'Keeps the conversations of AI agents: every message is written down before anything else happens, and nothing is deleted unless you say so.',
    )
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({
      showGlobalOptions: true,
      subcommandDescription: (command) => firstSentence(command.description()),
    })
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  await addCommands(program, calledCommand(argv));
  program.helpCommand('help [command]', 'show the help of a command');
  return program;
}

/**
 * The default command is the chat, in a terminal and with piped input; the overview without input. Options of the chat mean the
 * chat. A word that is no command stays an error, with the nearest one named.
 */
export async function withDefaultCommand(
  argv: readonly string[],
  someoneTalks: () => Promise<boolean> | boolean = doesSomeoneTalk,
): Promise<string[]> {
  if (calledCommand(argv) !== undefined) return [...argv];
  if (isBare(withGlobalOptions(new Command()), argv))
    return [!argv.includes('--json') && (await someoneTalks()) ? 'chat' : 'overview', ...argv];
  const { withChatOptions } = await import('./commands/chat.ts');
  return isBare(withChatOptions(withGlobalOptions(new Command())), argv) ? ['chat', ...argv] : [...argv];
}

/** The command that the words name, behind options of the program alone. */
function calledCommand(argv: readonly string[]): string | undefined {
  const [word = ''] = wordsFor(withGlobalOptions(new Command()), argv)?.operands ?? [];
  return isCommand(word) ? word : undefined;
}

/** Whether there are only options that the command has. */
function isBare(command: Command, argv: readonly string[]): boolean {
  const words = wordsFor(command, argv);
  // An option without its value is wrong in any command; with no command before it, it is one of the chat.
  return words ? words.operands.length + words.unknown.length === 0 : (argv[0]?.startsWith('-') ?? false);
}

/** Parted by the options that the command has, whose values are looked at later. Nothing if one has no value. */
function wordsFor(command: Command, argv: readonly string[]): ParseOptionsResult | undefined {
  const probe = command
    .helpOption(false)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const option of probe.options) option.argParser((value: string) => value);
  try {
    return probe.parseOptions([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return undefined;
  }
}

function withGlobalOptions(command: Command): Command {
  return command
    .option(
      '--store <path>',
      "the store to use (default: THROUGHLINE_STORE, the project's own, or ~/.throughline)",
    )
    .option('--json', 'print JSON, errors too');
}

function version(): string {
  const manifest = readFileSync(packageFile('package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** A person at a terminal, or a pipe with something in it. Waits for the first of it, and leaves it there to be read. */
async function doesSomeoneTalk(): Promise<boolean> {
  const { stdin, stdout } = process;
  if (stdin.isTTY) return Boolean(stdout.isTTY);
  return new Promise((resolve) => {
    const look = () => {
      const first: unknown = stdin.read();
      if (first !== null) stdin.unshift(first);
      if (first === null && !stdin.readableEnded) return;
      stdin.off('readable', look).off('end', nobody).off('error', nobody);
      resolve(first !== null);
    };
    const nobody = () => resolve(false);
    stdin.on('readable', look).once('end', nobody).once('error', nobody);
  });
}
