import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addArchiveCommand } from './commands/archive.ts';
import { addCheckpointCommand } from './commands/checkpoint.ts';
import { addCompactCommand } from './commands/compact.ts';
import { addContextCommand } from './commands/context.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addCollapseCommand, addExpandCommand } from './commands/expand.ts';
import { addForkCommand } from './commands/fork.ts';
import { addOverviewCommand } from './commands/overview.ts';
import { addPinCommand } from './commands/pin.ts';
import { addPurgeCommand } from './commands/purge.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { addSessionsCommand } from './commands/sessions.ts';
import { addShowCommand } from './commands/show.ts';
import { addTagCommand } from './commands/tag.ts';
import { addTitleCommand } from './commands/title.ts';
import { addTrashCommand } from './commands/trash.ts';
import { firstSentence } from './help-text.ts';

/** The whole command line, ready to parse. Failures are thrown, never printed: `printError` says them once. */
export function createProgram(): Command {
  const program = withGlobalOptions(new Command('throughline'))
    .description(
      'Keeps the conversations of AI agents: every message is written down before anything else happens, and nothing is deleted unless you say so.',
    )
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({
      showGlobalOptions: true,
      subcommandDescription: (command) => firstSentence(command.description()),
    })
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  const add = [
    addSessionsCommand,
    addShowCommand,
    addForkCommand,
    addContextCommand,
    addCompactCommand,
    addExpandCommand,
    addCollapseCommand,
    addCheckpointCommand,
    addPinCommand,
    addTagCommand,
    addTitleCommand,
    addArchiveCommand,
    addTrashCommand,
    addRestoreCommand,
    addPurgeCommand,
    addDoctorCommand,
    addOverviewCommand,
  ];
  for (const addCommand of add) addCommand(program);
  return program;
}

/** Without a command one gets the overview; a word that is no command stays an error, with the nearest one named. */
export function withDefaultCommand(argv: readonly string[]): string[] {
  const probe = withGlobalOptions(new Command()).helpOption(false);
  const { operands, unknown } = probe.parseOptions([...argv]);
  return operands.length + unknown.length > 0 ? [...argv] : ['overview', ...argv];
}

function withGlobalOptions(command: Command): Command {
  return command
    .option(
      '--store <path>',
      "the store to use (default: THROUGHLINE_STORE, the project's own, or ~/.throughline)",
    )
    .option('--json', 'print JSON, errors too');
}

/** The manifest lies two folders up, from the sources as well as from what is built. */
function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
