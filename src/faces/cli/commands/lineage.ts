import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
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
      await withStore(options, async ({ app, choice, find }) => {
        const { id: sessionId } = await find(reference, { trashed: true });
        const { showLineage } = await import('../../../operations/session/index.ts');
        const lineage = await perform(showLineage, { sessionId }, app);
        if (options.json) return printJson(printedBy(showLineage, 'lineage', lineage));
        const ids = lineageLines(lineage.root).map(({ node }) => node.session.id);
        await printLines(renderLineage(lineage, { numbered: keepLastList(choice.location, ids) }));
        if (lineage.missing)
          note(dimNote(`${lineage.root.session.id} came from ${lineage.missing}, which was purged.`));
      });
    });
}
