import type { Command } from 'commander';
import { standingOf } from '../config/apply-config.ts';
import { configPaths, readConfigFiles, unknownSetting, writeSetting } from '../config/config-file.ts';
import { SETTINGS, settingNamed } from '../config/settings.ts';
import { helpExamples } from '../help-text.ts';
import { renderConfig } from '../render/render-config.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { visibleText } from '../terminal/visible-text.ts';
import type { GlobalOptions } from '../with-store.ts';

interface ChangeOptions extends GlobalOptions {
  readonly project?: boolean;
}

const SETTING_ARGUMENT = `one of ${SETTINGS.map(({ name }) => name).join(', ')}`;
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
      const settings = SETTINGS.map((setting) => ({
        ...standingOf(setting),
        name: setting.name,
        variable: setting.variable,
        about: setting.about,
        otherwise: setting.otherwise,
      }));
      const files = readConfigFiles();
      if (command.optsWithGlobals<GlobalOptions>().json) {
        return printJson({
          settings: settings.map(({ name, value = null, from, where = null, variable }) => ({
            name,
            value,
            from,
            where,
            variable,
          })),
          files: files.map(({ whose, path }) => ({ whose, path })),
        });
      }
      await printLines(renderConfig(settings));
      for (const { path, fields } of files) {
        const unknown = Object.keys(fields).filter((name) => !settingNamed(name));
        if (unknown.length > 0)
          note(dimNote(visibleText(`Nobody knows what ${unknown.join(', ')} means in ${path}.`)));
      }
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
    .action((name: string, _: unknown, command: Command) => change(name, undefined, command));
}

async function change(name: string, value: string | undefined, command: Command): Promise<void> {
  const { json, project } = command.optsWithGlobals<ChangeOptions>();
  const setting = settingNamed(name);
  if (!setting) throw unknownSetting(name);
  const file = configPaths()[project ? 'project' : 'home'];
  writeSetting(file, name, value);
  if (json) return printJson({ name, value: value ?? null, file });
  await printLines([
    visibleText(value === undefined ? `${name} is not set in ${file}.` : `${name} is ${value} in ${file}.`),
  ]);
  if (process.env[setting.variable] && standingOf(setting).from === 'environment')
    note(dimNote(`${setting.variable} is set here and decides.`));
}
