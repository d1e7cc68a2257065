import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
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
      await withStore(options, async ({ app, find }) => {
        const [ours, theirs] = [(await find(first)).id, (await find(second)).id];
        const { diffBranchesOperation: diffBranches } = await import('../../../operations/branch/index.ts');
        const difference = await perform(diffBranches, { ours, theirs }, app);
        await (options.json
          ? printJson(printedBy(diffBranches, 'diff', difference))
          : printLines(renderDifference(difference)));
      });
    });
}
