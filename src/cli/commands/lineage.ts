import type { Command } from 'commander';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { keepLastList } from '../last-list.ts';
import { lineageLines, renderLineage } from '../render/render-lineage.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

export function addLineageCommand(program: Command): void {
  program
    .command('lineage')
    .description(
      'Show where a session came from and what came of it. Forks, resumptions, where each branched off, and what was merged.',
    )
    .argument('<session>', SESSION_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline lineage 1', 'the family of the first session of the last list'],
        ['throughline lineage 1 --json | jq .root', 'as a tree, for a script'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { describeLineage } = await import('../../branches/index.ts');
      await withStore(options, async ({ store, choice, find }) => {
        const lineage = await describeLineage(store, await find(reference, { trashed: true }));
        if (options.json) return printJson(lineage);
        const ids = lineageLines(lineage.root).map(({ node }) => node.id);
        await printLines(renderLineage(lineage, { numbered: keepLastList(choice.location, ids) }));
        if (lineage.missing)
          note(dimNote(`${lineage.root.id} came from ${lineage.missing}, which was purged.`));
      });
    });
}
