import { type Command, Option } from 'commander';
import { checkStore } from '../check-store.ts';
import { chooseStore } from '../choose-store.ts';
import { helpExamples } from '../help-text.ts';
import { salvage } from '../salvage.ts';
import type { GlobalOptions } from '../with-store.ts';

interface DoctorOptions extends GlobalOptions {
  rebuild?: boolean;
  salvage?: string | true;
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Read everything that is stored once and say whether it is sound. Changes nothing by itself.',
    )
    .option('--rebuild', 'make what lists show anew from what the sessions say')
    .addOption(
      new Option(
        '--salvage [file]',
        'save what can be read of a damaged store into a new file (default: beside it)',
      ).conflicts('rebuild'),
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline doctor', 'is everything there and readable?'],
        ['throughline doctor --rebuild', 'mend the list'],
        ['throughline doctor --salvage saved.db', 'save what can be read; the original stays'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DoctorOptions>();
      const choice = chooseStore(options.store);
      if (options.salvage) await salvage(choice, options.salvage, options);
      else await checkStore(choice, options);
    });
}
