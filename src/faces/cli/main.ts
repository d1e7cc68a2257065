import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { applyConfig } from '../../operations/config/index.ts';
import { createProgram, withDefaultCommand } from './create-program.ts';
import { explainUsage } from './explain-usage.ts';
import { findCommand, nameOfCommand } from './find-command.ts';
import { printError } from './print-error.ts';
import { showHelp } from './show-help.ts';

const argv = process.argv.slice(2);
const program = await createProgram(argv);
try {
  // Before anything is parsed: options look into the environment while they are.
  applyConfig();
  showHelp(program, argv);
  await program.parseAsync(await withDefaultCommand(argv), { from: 'user' });
} catch (error) {
  // Asked of the words themselves: what could not be parsed has no options yet.
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const command = nameOfCommand(findCommand(program, words));
  const told = explainUsage(atTheEnd(error), program, words);
  process.exitCode = printError(told, { json: words.includes('--json'), command });
}

/** What waits in memory to be written is gone with the process, unless it was brought to safety. */
function atTheEnd(error: unknown): unknown {
  if (!isThroughlineError(error, 'not-saved') || error.details.files !== undefined) return error;
  const why = error.cause instanceof Error ? `${error.cause.message} ` : '';
  return new ThroughlineError(
    'not-saved',
    `Nothing was written. ${why}Mend that and run the command again.`,
    {
      cause: error,
      details: error.details,
    },
  );
}
