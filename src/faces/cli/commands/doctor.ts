import { type Command, Option } from 'commander';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import { chooseStore } from '../choose-store.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { helpExamples } from '../help-text.ts';
import { renderCheckup } from '../render/render-checkup.ts';
import { renderSalvage } from '../render/render-salvage.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { showParts, showProgress } from '../terminal/show-progress.ts';
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
      await (options.salvage ? salvage(options.salvage, options) : check(options));
    });
}

async function check({ store, rebuild = false, json }: DoctorOptions): Promise<void> {
  const { checkStore } = await import('../../../operations/store/index.ts');
  const choice = chooseStore(store);
  const { end, ...progress } = showParts({ rebuild: 'Rebuilding', check: 'Checking' });
  const { location } = choice;
  const checkup = await perform(checkStore, { location, rebuild }, OWN_MACHINE, progress).finally(end);
  await (json
    ? printJson(printedBy(checkStore, 'doctor', checkup))
    : printLines(renderCheckup(checkup, choice)));
  if (!checkup.sound) process.exitCode = EXIT_CODES['store-damaged'];
}

async function salvage(wanted: string | true, { store, json }: DoctorOptions): Promise<void> {
  const { salvageStoreOperation: salvageStore } = await import('../../../operations/store/index.ts');
  const { end, ...progress } = showProgress('Salvaging');
  const params = { location: chooseStore(store).location, ...(wanted !== true && { target: wanted }) };
  const salvaged = await perform(salvageStore, params, OWN_MACHINE, progress).finally(end);
  await (json
    ? printJson(printedBy(salvageStore, 'doctor --salvage', salvaged))
    : printLines(renderSalvage(salvaged)));
  if (!salvaged.whole) process.exitCode = EXIT_CODES['store-damaged'];
}
