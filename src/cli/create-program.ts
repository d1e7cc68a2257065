import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { packageFile } from '../package-file.ts';
import { addApprovalsCommand } from './commands/approvals.ts';
import { addArchiveCommand } from './commands/archive.ts';
import { addChatCommand, withChatOptions } from './commands/chat.ts';
import { addCheckpointCommand } from './commands/checkpoint.ts';
import { addCompactCommand } from './commands/compact.ts';
import { addCompactFileCommand } from './commands/compact-file.ts';
import { addConfigCommand } from './commands/config.ts';
import { addContextCommand } from './commands/context.ts';
import { addDiffCommand } from './commands/diff.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addCollapseCommand, addExpandCommand } from './commands/expand.ts';
import { addExportCommand } from './commands/export.ts';
import { addForkCommand } from './commands/fork.ts';
import { addHandoffCommand } from './commands/handoff.ts';
import { addHideCommand } from './commands/hide.ts';
import { addImportCommand } from './commands/import.ts';
import { addLineageCommand } from './commands/lineage.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMemoryCommand } from './commands/memory.ts';
import { addMergeCommand } from './commands/merge.ts';
import { addOverviewCommand } from './commands/overview.ts';
import { addPinCommand } from './commands/pin.ts';
import { addProjectsCommand } from './commands/projects.ts';
import { addPurgeCommand } from './commands/purge.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { addResumeCommand } from './commands/resume.ts';
import { addScrubCommand } from './commands/scrub.ts';
import { addSearchCommand } from './commands/search.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSessionsCommand } from './commands/sessions.ts';
import { addShowCommand } from './commands/show.ts';
import { addTagCommand } from './commands/tag.ts';
import { addTitleCommand } from './commands/title.ts';
import { addTrashCommand } from './commands/trash.ts';
import { addWorkCommand } from './commands/work.ts';
import { doesSomeoneTalk } from './does-someone-talk.ts';
import { firstSentence } from './help-text.ts';

/** By their headings in the help. */
const COMMANDS: Readonly<Record<string, readonly ((program: Command) => void)[]>> = {
  'Talk and find:': [
    addChatCommand,
    addSessionsCommand,
    addShowCommand,
    addSearchCommand,
    addOverviewCommand,
  ],
  'What the model sees:': [
    addContextCommand,
    addCompactCommand,
    addExpandCommand,
    addCollapseCommand,
    addCheckpointCommand,
    addPinCommand,
  ],
  'Branches:': [addForkCommand, addLineageCommand, addDiffCommand, addMergeCommand],
  'Projects:': [addMemoryCommand, addProjectsCommand, addWorkCommand],
  'Sessions of other agents:': [
    addImportCommand,
    addExportCommand,
    addHandoffCommand,
    addCompactFileCommand,
    addResumeCommand,
    addArchiveCommand,
  ],
  'Servers:': [addServeCommand, addMcpCommand],
  'Order in the store:': [
    addTagCommand,
    addTitleCommand,
    addHideCommand,
    addTrashCommand,
    addRestoreCommand,
    addPurgeCommand,
    addScrubCommand,
    addApprovalsCommand,
    addDoctorCommand,
    addConfigCommand,
  ],
};

/** The whole command line, ready to parse. Failures are thrown, never printed: `printError` says them once. */
export function createProgram(): Command {
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
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const addCommand of commands) addCommand(program);
  }
  program.helpCommand('help [command]', 'show the help of a command');
  return program;
}

/**
 * Without a command one gets the chat, in a terminal and with what is piped in; where nobody says anything, the overview.
 * Options of the chat mean the chat. A word that is no command stays an error, with the nearest one named.
 */
export async function withDefaultCommand(
  argv: readonly string[],
  someoneTalks: () => Promise<boolean> | boolean = doesSomeoneTalk,
): Promise<string[]> {
  if (isBare(withGlobalOptions(new Command()), argv))
    return [!argv.includes('--json') && (await someoneTalks()) ? 'chat' : 'overview', ...argv];
  return isBare(withChatOptions(withGlobalOptions(new Command())), argv) ? ['chat', ...argv] : [...argv];
}

/** Whether there are only options that the command has. Their values are looked at when the command itself is parsed. */
function isBare(command: Command, argv: readonly string[]): boolean {
  const probe = command
    .helpOption(false)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const option of probe.options) option.argParser((value: string) => value);
  try {
    const { operands, unknown } = probe.parseOptions([...argv]);
    return operands.length + unknown.length === 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // An option without its value is wrong in any command; with no command before it, it is one of the chat.
    return argv[0]?.startsWith('-') ?? false;
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
