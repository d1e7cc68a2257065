import { isThroughlineError, ThroughlineError } from '../errors.ts';
import { applyConfig } from './config/apply-config.ts';
import { createProgram, withDefaultCommand } from './create-program.ts';
import { printError } from './print-error.ts';

const argv = process.argv.slice(2);
const program = createProgram();
try {
  // Before anything is parsed: options look into the environment while they are.
  applyConfig();
  await program.parseAsync(await withDefaultCommand(argv), { from: 'user' });
} catch (error) {
  // Asked of the words themselves: what could not be parsed has no options yet.
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const command = words.find((word) => program.commands.some((known) => known.name() === word));
  process.exitCode = printError(atTheEnd(error), { json: words.includes('--json'), command });
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
