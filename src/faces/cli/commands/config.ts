import type { Command } from 'commander';
import { CONFIG_SETTINGS } from '../../../operations/config/index.ts';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import { helpExamples } from '../help-text.ts';
import { renderConfig } from '../render/render-config.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { visibleText } from '../terminal/visible-text.ts';
import type { GlobalOptions } from '../with-store.ts';

interface ChangeOptions extends GlobalOptions {
  readonly project?: boolean;
}

const SETTING_ARGUMENT = `one of ${CONFIG_SETTINGS.map(({ name }) => name).join(', ')}`;
const PROJECT_OPTION = [
  '--project',
  "in this project's .throughline/config.json, not in your home folder's",
] as const;

export function addConfigCommand(program: Command): void {
  const config = program
    .command('config')
    .description(
      "Show every setting and where its value comes from. Flags decide, then the environment, then the project's .throughline/config.json, then the one in your home folder.",
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline config', 'what holds here, and why'],
        ['throughline config set model anthropic:claude-sonnet-5', 'for all your projects'],
        ['throughline config set preset repo --project', 'for this one'],
        ['throughline config unset model', 'as if nobody had said'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const { listSettings } = await import('../../../operations/config/index.ts');
      const listed = await perform(listSettings, {}, OWN_MACHINE);
      if (json) return printJson(printedBy(listSettings, 'config', listed));
      await printLines(renderConfig(listed.settings));
      for (const { path, unknown } of listed.files)
        if (unknown.length > 0)
          note(dimNote(visibleText(`Nobody knows what ${unknown.join(', ')} means in ${path}.`)));
    });

  config
    .command('set')
    .description('Write a setting into a file.')
    .argument('<setting>', SETTING_ARGUMENT)
    .argument('<value>', 'its value')
    .option(...PROJECT_OPTION)
    .addHelpText('after', helpExamples(['throughline config set timeout 60', 'wait a minute for the model']))
    .action((name: string, value: string, _: unknown, command: Command) => change(name, value, command));

  config
    .command('unset')
    .description('Take a setting out of a file.')
    .argument('<setting>', SETTING_ARGUMENT)
    .option(...PROJECT_OPTION)
    .addHelpText('after', helpExamples(['throughline config unset store', 'the usual one again']))
    .action((name: string, _: unknown, command: Command) => change(name, null, command));
}

async function change(name: string, value: string | null, command: Command): Promise<void> {
  const { json, project } = command.optsWithGlobals<ChangeOptions>();
  const params = { name, value, ...(project && { whose: 'project' as const }) };
  const { changeSetting } = await import('../../../operations/config/index.ts');
  const changed = await perform(changeSetting, params, OWN_MACHINE);
  const { file, overruledBy } = changed;
  if (json)
    return printJson(printedBy(changeSetting, value === null ? 'config unset' : 'config set', changed));
  await printLines([
    visibleText(value === null ? `${name} is not set in ${file}.` : `${name} is ${value} in ${file}.`),
  ]);
  if (overruledBy !== undefined) note(dimNote(`${overruledBy} is set here and decides.`));
}
