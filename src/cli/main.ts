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
  process.exitCode = printError(error, { json: words.includes('--json'), command });
}
