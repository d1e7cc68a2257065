import type { Command } from 'commander';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderDifference } from '../render/render-difference.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

export function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description(
      'Compare what two branches came to since they parted. Decisions, tasks, facts, files, and where the two disagree; changes nothing.',
    )
    .argument('<a>', SESSION_ARGUMENT)
    .argument('<b>', 'another one of the same family')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline diff 1 2', 'what the first two sessions of the last list say differently'],
        ['throughline diff main plan-b --json', 'with the entry behind every line'],
      ),
    )
    .action(async (first: string, second: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { diffBranches } = await import('../../branches/index.ts');
      await withStore(options, async ({ store, find }) => {
        const difference = await diffBranches(store, await find(first), await find(second));
        await (options.json ? printJson(difference) : printLines(renderDifference(difference)));
      });
    });
}
